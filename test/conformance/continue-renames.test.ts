import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { continueRenames } from '../../src/campaigns/continue-renames.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { findOldestRename, insertRename } from '../../src/campaigns/rename-queries.ts';
import type { ChangedCampaign } from '../../src/console/catalog-api.ts';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { allProducts, draft, importDrafts, UNSET_AMOUNTS } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

/** So many that they move after the rename, in six transactions. */
const MANY = 1_200;

/** Lets some of a merchant's transactions commit. The next ones fail, as if the process ended. */
class Gate {
  #merchantId: number | undefined;
  #left = Number.POSITIVE_INFINITY;
  failed = 0;

  readonly wrap = (database: Database): Database =>
    intercept(database, {
      transaction: (work, options) =>
        database.transaction(async (connection) => {
          const result = await work(connection);
          if (options?.merchantId !== this.#merchantId) return result;
          this.#left -= 1;
          if (this.#left >= 0) return result;
          this.failed += 1;
          throw new Error('the process has ended');
        }, options),
    });

  closeAfter(transactions: number, merchantId: number): void {
    this.#left = transactions;
    this.#merchantId = merchantId;
    this.failed = 0;
  }

  open(): void {
    this.#left = Number.POSITIVE_INFINITY;
  }
}

forEachEngine((engine) => {
  const create = async (service: TestService, { token }: TestMerchant, name: string): Promise<Campaign> => {
    const json = { access_token: token, name, type: 'T' };
    return (await service.request('POST', '/campaigns', { json })).json<Campaign>();
  };
  const newShop = async (service: TestService): Promise<{ merchant: TestMerchant; spring: Campaign }> => {
    const merchant = await service.newMerchant();
    const spring = await create(service, merchant, 'Spring');
    const drafts = Array.from({ length: MANY }, (_, index) =>
      draft(`P-${index}`, { campaign_name: 'Spring' }),
    );
    await importDrafts(service, merchant, [[...drafts, draft('LAST')]]);
    return { merchant, spring };
  };
  const rename = async (
    service: TestService,
    { merchant, campaign, name }: { merchant: TestMerchant; campaign: Campaign; name: string },
  ): Promise<number | null> => {
    const client = await signedIn(service, merchant, 'editor');
    const response = await client.post(`/campaigns/${campaign.internal_id}`, { name });
    assert.equal(response.status, 200, response.text);
    return response.json<ChangedCampaign>().moved_products;
  };
  const countsOf = async (service: TestService, merchant: TestMerchant): Promise<Record<string, number>> => {
    const products = await allProducts(service, merchant);
    const groups = Object.groupBy(products, ({ campaign_name: name }) => name ?? 'none');
    return Object.fromEntries(Object.entries(groups).map(([name, { length } = []]) => [name, length ?? 0]));
  };
  /** The move stops after some products. Other transactions of the merchant pass the gate too. */
  const untilHalfMoved = async (service: TestService, merchant: TestMerchant, gate: Gate): Promise<void> => {
    for (;;) {
      await until(() => gate.failed > 0);
      const { Spring = 0, Summer = 0 } = await countsOf(service, merchant);
      assert.ok(Spring > 0, `${Summer} moved`);
      if (Summer > 0) return;
      gate.closeAfter(1, merchant.id);
    }
  };
  const untilMoved = async ({ database }: TestService, { id: merchantId }: TestMerchant): Promise<void> => {
    const isDone = async () => (await database.first(findOldestRename, { merchantId })) === undefined;
    await until(isDone, { timeoutMs: 60_000 });
  };

  describe('the move of many products to the new name of their campaign', () => {
    const gate = new Gate();
    const service = useService(engine, { wrap: gate.wrap });
    beforeEach(() => service().passTime(61_000));

    const halfMoved = async (): Promise<{ merchant: TestMerchant; campaign: Campaign }> => {
      const { merchant, spring } = await newShop(service());
      const client = await signedIn(service(), merchant, 'editor');
      gate.closeAfter(3, merchant.id);
      const response = await client.post(`/campaigns/${spring.internal_id}`, { name: 'Summer' });
      assert.equal(response.json<ChangedCampaign>().moved_products, null, response.text);
      await untilHalfMoved(service(), merchant, gate);
      return { merchant, campaign: spring };
    };

    it('goes to the last name if the campaign is renamed again meanwhile, or gets its first name back', async () => {
      for (const name of ['Fall', 'Spring']) {
        const { merchant, campaign } = await halfMoved();
        gate.open();
        await rename(service(), { merchant, campaign, name });
        await untilMoved(service(), merchant);
        assert.deepEqual(await countsOf(service(), merchant), { [name]: MANY, none: 1 });
      }
    });

    it('leaves products alone that a new campaign with the former name has got meanwhile', async () => {
      const { merchant } = await halfMoved();
      const caller = { merchantId: merchant.id, who: OPERATOR, budget: null };
      await runVerb(service(), caller, createCampaign, { ...UNSET_AMOUNTS, name: 'Spring', type: 'T' });
      await importDrafts(service(), merchant, [[draft('LAST', { campaign_name: 'Spring' })]]);
      gate.open();
      await untilMoved(service(), merchant);
      assert.deepEqual(await countsOf(service(), merchant), { Summer: MANY, Spring: 1 });
    });

    it('takes several transactions if the records are large, even of few products', async () => {
      const merchant = await service().newMerchant();
      const campaign = await create(service(), merchant, 'Spring');
      const fields = { campaign_name: 'Spring', description: '€'.repeat(80_000) };
      const drafts = Array.from({ length: 30 }, (_, index) => draft(`L-${index}`, fields));
      await importDrafts(service(), merchant, [drafts]);
      assert.equal(await rename(service(), { merchant, campaign, name: 'Summer' }), null);
      await untilMoved(service(), merchant);
      assert.deepEqual(await countsOf(service(), merchant), { Summer: 30 });
    });
  });

  it('a service that ended in the middle of a move continues it after a restart', async () => {
    const gate = new Gate();
    const first = await startTestService(engine, { wrap: gate.wrap });
    const { merchant, spring } = await newShop(first);
    const client = await signedIn(first, merchant, 'editor');
    gate.closeAfter(3, merchant.id);
    assert.equal((await client.post(`/campaigns/${spring.internal_id}`, { name: 'Summer' })).status, 200);
    await untilHalfMoved(first, merchant, gate);
    await first.stop();
    await using second = await startTestService(engine, { environment: first.environment });
    await untilMoved(second, merchant);
    assert.deepEqual(await countsOf(second, merchant), { Summer: MANY, none: 1 });
  });

  it('merchants take turns, so that a small move does not wait for a large one', async (t) => {
    const store = await TestDatabase.open(engine);
    t.after(() => store.close());
    const merchants = [await store.newMerchant(), await store.newMerchant()] as const;
    for (const [index, products] of [MANY, 10].entries()) {
      const drafts = Array.from({ length: products }, (_, number) =>
        draft(`P-${number}`, { campaign_name: 'Spring' }),
      );
      await importDrafts(store, merchants[index] ?? { id: 0 }, [drafts]);
    }
    const { database, now } = store;
    const turns: (number | undefined)[] = [];
    for (const { id } of merchants) {
      const row = { former_name: 'Spring', name: 'Summer', revision: 0, moved_to: 0 };
      await database.transaction((connection) =>
        connection.run(insertRename, { merchant_id: id, id: String(id), ...row }),
      );
    }
    const recorded = intercept(database, {
      transaction: (work, options) => {
        turns.push(options?.merchantId);
        return database.transaction(work, options);
      },
    });
    const [large, small] = merchants.map(({ id }) => id);
    const services = { database: recorded, now, lowInventory: 5 };
    while ((await database.first(findOldestRename, { merchantId: large ?? 0 })) !== undefined)
      await continueRenames(services);
    assert.ok(turns.lastIndexOf(small) < turns.lastIndexOf(large), turns.join(' '));
  });
});

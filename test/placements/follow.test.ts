import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import type { CampaignNeeds } from '../../src/campaigns/campaign-budget.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { runVerb, type WriteContext } from '../../src/database/write-context.ts';
import type { CompetitionFollower } from '../../src/placements/follow/competition-follower.ts';
import { draft, importDrafts, UNSET_AMOUNTS } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { useTwoNodes } from '../support/two-nodes.ts';
import { until } from '../support/until.ts';
import { ChangingMarket, candidatesOf, Followers, standingsOf } from './follow-support.ts';
import { Advertiser } from './placements-support.ts';

const ROUNDS = runs(12);
const CHANGES = 25;
/** More than two pages of each kind. */
const MANY = 1_100;
/** What `AD_QUALITY_WEIGHT` is. */
const WEIGHT = 50;
const HOUR_MS = 3_600_000;

forEachEngine((engine) => {
  // Keys of suspended merchants are rejected, any number of them.
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });
  const followers = new Followers();
  afterEach(() => followers.close());

  /** Opens an advertiser whose products are in its campaign. */
  const open = async (bid: number): Promise<Advertiser> => {
    const advertiser = await Advertiser.open(service(), { bid_amount: bid });
    const drafts = ['VASE', 'BOWL'].map((name) => draft(name, { campaign_name: 'Spring sale' }));
    await importDrafts(service(), advertiser.merchant, [drafts]);
    return advertiser;
  };

  it('keeps who competes equal to the database, whatever changes, and to what another process loads', async () => {
    const market = new ChangingMarket(service(), newRandom(), await service().newOperatorToken());
    const follower = await followers.open(service());
    let winners = 0;
    for (let round = 0; round < ROUNDS || winners === 0; round++) {
      for (let change = 0; change < CHANGES; change++) await market.change();
      let [actual, expected]: object[] = [];
      const message = (): string => `round ${round}: ${JSON.stringify({ actual, expected }, null, 1)}`;
      const isEqual = async (): Promise<boolean> => {
        expected = await market.expected();
        actual = standingsOf(follower.competition);
        return follower.isComplete() && JSON.stringify(actual) === JSON.stringify(expected);
      };
      await until(isEqual, { intervalMs: 100, message });
      const other = await followers.open(service());
      assert.deepEqual(standingsOf(other.competition), actual, `round ${round}`);
      winners += candidatesOf(follower).length;
    }
  });

  it('reads many campaigns and products of one merchant, and many changes, in parts', async () => {
    const advertiser = await open(1);
    const { merchant } = advertiser;
    const caller = { merchantId: merchant.id, who: SERVICE, budget: null };
    const create = async (context: WriteContext & CampaignNeeds): Promise<void> => {
      for (let index = 0; index < MANY; index++)
        await createCampaign(context, {
          ...UNSET_AMOUNTS,
          name: `C-${index}`,
          type: 'Banner',
          bid_amount: 2,
        });
    };
    await runVerb(service(), caller, create, undefined);
    const inCampaign = (name: (index: number) => string) => [
      Array.from({ length: MANY }, (_, index) => draft(`P-${index}`, { campaign_name: name(index) })),
    ];
    await importDrafts(
      service(),
      merchant,
      inCampaign((index) => `C-${index}`),
    );
    const first = await followers.open(service());
    const own = (follower: CompetitionFollower) =>
      candidatesOf(follower).filter(({ merchantId }) => merchantId === merchant.id);
    assert.equal(own(first).length, MANY + 2);
    await importDrafts(
      service(),
      merchant,
      inCampaign(() => 'Spring sale'),
    );
    const ofCampaign = (follower: CompetitionFollower) =>
      own(follower).filter(({ campaignId }) => campaignId === advertiser.campaign);
    await until(() => ofCampaign(first).length === MANY + 2);
    const second = await followers.open(service());
    assert.deepEqual(standingsOf(second.competition), standingsOf(first.competition));
  });

  it('is not complete before everything is loaded, or while the database is away', async () => {
    const advertiser = await open(1);
    const isOurs = ({ merchantId }: { merchantId: number }): boolean => merchantId === advertiser.merchant.id;
    const failing = new FailingDatabase();
    const database = failing.wrap(service().database);
    failing.failure = new DatabaseUnavailable('the server does not respond');
    let skippedMs = 0;
    let failures = 0;
    const follower = followers.create({
      database,
      clock: () => performance.now() + skippedMs,
      onError: () => {
        failures += 1;
      },
    });
    assert.equal(follower.isComplete(), false);
    follower.start();
    await until(() => failures === 1);
    assert.equal(follower.isComplete(), false);

    failing.failure = undefined;
    await until(() => follower.isComplete());
    assert.equal(candidatesOf(follower).filter(isOurs).length, 2);

    failing.failure = new DatabaseUnavailable('the server does not respond');
    await until(() => failures === 2);
    await advertiser.change('update', { bid_amount: 9 });
    skippedMs += 6_000;
    assert.equal(follower.isComplete(), false);
    failing.failure = undefined;
    await until(() => follower.isComplete());
    const bids = () =>
      candidatesOf(follower)
        .filter(isOurs)
        .map(({ bid }) => bid);
    await until(() => bids().join() === '90000,90000');
  });

  it('leaves out the merchants of a node that is away, and no others', async () => {
    const [away, other] = await Promise.all([open(1), open(1)]);
    let isAway = false;
    const check = ({ everyNode = false }: { everyNode?: boolean }, parameters: unknown): void => {
      const ofMerchant = (parameters as { merchantId?: number } | undefined)?.merchantId === away.merchant.id;
      if (isAway && (everyNode || ofMerchant)) throw new DatabaseUnavailable('the node does not respond');
    };
    const { database } = service();
    const cluster = intercept(database, {
      all: async (statement, ...parameters) => {
        check(statement, parameters[0]);
        return await database.all(statement, ...parameters);
      },
      first: async (statement, ...parameters) => {
        check(statement, parameters[0]);
        return await database.first(statement, ...parameters);
      },
      // On SQLite, nothing is read while nothing changes.
      version: () => undefined,
    });
    const follower = await followers.open({ database: cluster });
    const bidsOf = ({ merchant }: Advertiser): number[] =>
      candidatesOf(follower)
        .filter(({ merchantId }) => merchantId === merchant.id)
        .map(({ bid }) => bid);
    assert.deepEqual([bidsOf(away).length, bidsOf(other).length], [2, 2]);
    isAway = true;
    await until(() => bidsOf(away).length === 0);
    await away.change('update', { bid_amount: 3 });
    await other.change('update', { bid_amount: 4 });
    await until(() => bidsOf(other).join() === '40000,40000');
    assert.deepEqual([bidsOf(away).length, follower.isComplete()], [0, true]);
    isAway = false;
    await until(() => bidsOf(away).join() === '30000,30000');
  });

  it('costs nothing until a placement is reserved', async () => {
    const advertiser = await open(1);
    const idle = followers.create(service());
    await idle.startIfUsed();
    const placement_id = await advertiser.reserve(0.5);
    const used = await followers.open(service());
    await used.startIfUsed();
    assert.equal(idle.competition.size, 0);
    assert.equal(idle.isComplete(), false);
    await idle.startIfUsed();
    await until(() => idle.isComplete());
    assert.deepEqual(standingsOf(idle.competition), standingsOf(used.competition));
    await advertiser.report({ placement_id, outcome: 'released' });
  });

  it('multiplies bids with what placements sold, or schedules, smoothed with the category', async () => {
    const advertiser = await open(1);
    const { merchant } = advertiser;
    const category = 'Quality | Vases';
    const inCategory = ['VASE', 'BOWL', 'CUP'].map((name) =>
      draft(name, { campaign_name: 'Spring sale', category }),
    );
    await importDrafts(service(), merchant, [inCategory]);
    const follower = await followers.open(service(), { qualityWeight: WEIGHT, refreshMs: 0 });
    const scheduled_at = new Date(service().now() - HOUR_MS).toISOString();
    const schedules = Array.from({ length: 10 }, (_, index) => ({
      schedule_id: `S-${index}`,
      product_identifier: 'BOWL',
      scheduled_at,
      sold: index < 4,
      sale_price: index < 4 ? 20 : null,
    }));
    assert.equal((await advertiser.sell(...schedules)).created, 10);
    const facts = Array.from({ length: 5 }, (_, index) => ({ placement_id: `F-${index}` }));
    assert.equal((await advertiser.state(...facts)).created, 5);
    await advertiser.sell({ schedule_id: 'F-0', product_identifier: 'VASE' });

    // What all products were tried and sold: this merchant's are the only ones.
    const all = (5 + 1) / (15 + 2);
    const smoothed = (sold: number, tries: number, expected: number): number =>
      (sold + WEIGHT * expected) / (tries + WEIGHT);
    const ofCategory = smoothed(5, 15, all);
    const expected = {
      VASE: smoothed(1, 5, smoothed(1, 1, ofCategory)),
      BOWL: smoothed(4, 10, ofCategory),
      CUP: ofCategory,
    };
    const qualities = () =>
      candidatesOf(follower)
        .filter(({ merchantId }) => merchantId === merchant.id)
        .sort((one, other) => one.productId - other.productId)
        .map(({ quality }) => quality);
    const wanted = Object.values(expected).map(Math.fround);
    await until(() => JSON.stringify(qualities()) === JSON.stringify(wanted), {
      message: () => JSON.stringify({ qualities: qualities(), wanted }),
    });
    const other = await followers.open(service(), { qualityWeight: WEIGHT });
    const loaded = JSON.stringify(standingsOf(other.competition));
    // Qualities of other merchants follow in later parts of a refresh.
    await until(() => JSON.stringify(standingsOf(follower.competition)) === loaded);
  });

  it('lets a campaign that rests compete again as soon as its budget changes', async () => {
    const advertiser = await open(1);
    const { merchant, campaign } = advertiser;
    const follower = await followers.open(service(), { clock: () => 0 });
    const competing = (): number =>
      candidatesOf(follower).filter(({ merchantId }) => merchantId === merchant.id).length;
    assert.equal(competing(), 2);
    follower.rests.restCampaign(merchant.id, campaign, 'daily_budget');
    assert.equal(competing(), 0);
    await advertiser.change('update', { daily_budget: 50 });
    await until(() => competing() === 2);
    follower.rests.restProduct(merchant.id, 1, 'daily_budget_per_product');
    follower.rests.restProduct(merchant.id, 2, 'max_daily_schedules');
    assert.equal(competing(), 0);
    await importDrafts(service(), merchant, [[draft('BOWL', { max_daily_schedules: 7 })]]);
    await until(() => competing() === 1);
    await advertiser.change('update', { daily_budget_per_product: 50 });
    await until(() => competing() === 2);
  });

  describe('on two nodes', () => {
    const nodes = useTwoNodes(engine);

    it('follows what another process changes', async () => {
      const [one, two] = nodes();
      const follower = await followers.open(one);
      const advertiser = await Advertiser.open(two, { bid_amount: 2 });
      const join = draft('VASE', { campaign_name: 'Spring sale' });
      await importDrafts(two, advertiser.merchant, [[join]]);
      const bids = () => candidatesOf(follower).map(({ bid }) => bid);
      await until(() => bids().join() === '20000');
      await advertiser.change('update', { bid_amount: 3 });
      await until(() => bids().join() === '30000');
      await advertiser.change('pause', {});
      await until(() => bids().length === 0);
    });
  });
});

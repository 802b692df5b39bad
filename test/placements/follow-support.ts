import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import { startEpoch, startFeedEpoch } from '../../src/database/epoch.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { Random } from '../../src/demo/random.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import type { Losers } from '../../src/placements/decide/loss-reasons.ts';
import type { Candidate } from '../../src/placements/decide/ranking.ts';
import {
  CompetitionFollower,
  type CompetitionFollowerOptions,
} from '../../src/placements/follow/competition-follower.ts';
import { parseProduct } from '../../src/products/record/product.ts';
import { listRecordsAfter } from '../../src/products/record/queries.ts';
import { unitsOf } from '../../src/shared/amounts.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { until } from '../support/until.ts';

const CURRENCIES = ['USD', 'EUR', 'JPY'] as const;
const NAMES = ['Spring', 'Summer', 'Fall'] as const;

/** Who competes, and why others do not. */
interface Standings {
  /** Of all products with a campaign name. */
  size: number;
  byCurrency: { currency: string; candidates: Candidate[]; losers: Losers }[];
}

export function standingsOf(competition: Competition): Standings {
  const byCurrency = CURRENCIES.map((currency) => {
    const any = { type: null, category: [], products: null, exclude: [] };
    const ranking = competition.rank({ key: 'any', currency, ...any });
    const candidates: Candidate[] = [];
    for (let next = ranking.next(); next !== undefined; next = ranking.next()) candidates.push(next);
    return { currency, candidates, losers: ranking.losers };
  });
  return { size: competition.size, byCurrency };
}

/** Returns who competes in any currency, best first in each. */
export function candidatesOf({ competition }: CompetitionFollower): Candidate[] {
  return standingsOf(competition).byCurrency.flatMap(({ candidates }) => candidates);
}

/** A database that calls `before` with the merchant before it reads a page of products to load. */
export function beforeProducts(database: Database, before: (merchantId: number) => Promise<void>): Database {
  return intercept(database, {
    first: async (statement, ...parameters) => {
      const [values] = parameters as [{ merchantId: number; afterName?: string } | undefined];
      if (values?.afterName !== undefined) await before(values.merchantId);
      return await database.first(statement, ...parameters);
    },
  });
}

type FollowerOptions = Partial<CompetitionFollowerOptions> & Pick<TestService, 'database'>;

/** The followers of a test. One that is left open would poll forever. */
export class Followers {
  readonly #open: CompetitionFollower[] = [];

  create({ database, ...options }: FollowerOptions): CompetitionFollower {
    const { qualityWeight = null, onError = () => {}, clock, refreshMs } = options;
    const follower = new CompetitionFollower({
      database,
      qualityWeight,
      now: Date.now,
      onError,
      pollMs: 50,
      ...(clock !== undefined && { clock }),
      ...(refreshMs !== undefined && { refreshMs }),
    });
    this.#open.push(follower);
    return follower;
  }

  /** Resolves when it is complete. */
  async open(
    { database }: Pick<TestService, 'database'>,
    options: Partial<CompetitionFollowerOptions> = {},
  ): Promise<CompetitionFollower> {
    const follower = this.create({ ...options, database });
    follower.start();
    await until(() => follower.isComplete());
    return follower;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((follower) => follower.close()));
  }
}

/** Returns who competes as the records of the API say, without any quality. */
async function competitionOf(service: TestService, merchants: readonly TestMerchant[]): Promise<Competition> {
  const { database } = service;
  const competition = new Competition();
  for (const { id: merchantId } of merchants) {
    const merchant = await findMerchant({ database }, String(merchantId));
    assert.ok(merchant !== undefined);
    const { currency, suspended_at } = merchant;
    competition.setMerchant({ merchantId, currency, isActive: suspended_at === null });
    for (const { internal_id, bid_amount, created_at, ...campaign } of await campaignsOf(service, {
      id: merchantId,
    }))
      competition.setCampaign({
        ...campaign,
        merchantId,
        campaignId: internal_id,
        bid: bid_amount === null ? null : unitsOf(bid_amount),
        createdAt: Date.parse(created_at),
      });
    const rows = await database.all(listRecordsAfter, { merchantId, after: 0, limit: 1_000 });
    for (const { record } of rows) {
      const product = parseProduct(record);
      const [level1 = '', level2 = ''] = product.category?.split(' | ') ?? [];
      competition.setProduct({
        merchantId,
        productId: product.internal_id,
        campaignName: product.deleted_at === null ? product.campaign_name : null,
        status: product.status,
        category: [level1, level2],
        schedulingFeeBid: product.scheduling_fee_bid === null ? null : unitsOf(product.scheduling_fee_bid),
        maxDailySchedules: product.max_daily_schedules,
        quality: 1,
      });
    }
  }
  return competition;
}

/** Merchants whose products and campaigns change in every way that the service has. */
export class ChangingMarket {
  readonly merchants: TestMerchant[] = [];
  readonly #service: TestService;
  readonly #random: Random;
  readonly #operatorToken: string;
  #products = 0;

  constructor(service: TestService, random: Random, operatorToken: string) {
    this.#service = service;
    this.#random = random;
    this.#operatorToken = operatorToken;
  }

  async expected(): Promise<Standings> {
    return standingsOf(await competitionOf(this.#service, this.merchants));
  }

  async change(): Promise<void> {
    const random = this.#random;
    if (this.merchants.length < 2 || random.chance(0.02))
      this.merchants.push(await this.#service.newMerchant());
    const merchant = random.pick(this.merchants as [TestMerchant, ...TestMerchant[]]);
    const kinds = ['product', 'product', 'product', 'file', 'campaign', 'campaign', 'operator'] as const;
    const kind = random.pick(kinds);
    if (kind === 'product') await this.#changeProduct(merchant);
    if (kind === 'campaign') await this.#changeCampaign(merchant);
    if (kind === 'file') await this.#importFile(merchant);
    if (kind === 'operator') await this.#changeAsOperator(merchant);
  }

  async #post({ token }: { token: string }, path: string, json: object): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const { status, text } = await this.#service.request('POST', path, { json, headers });
    // Some changes are refused, for example those of a suspended merchant or a deleted product.
    assert.ok(status < 500, text);
  }

  async #changeProduct(merchant: TestMerchant): Promise<void> {
    const random = this.#random;
    if (this.#products < 10 || random.chance(0.1)) {
      this.#products += 1;
      const created = { identifier: `P-${this.#products}`, title: 'A product', ...this.#newFields() };
      await this.#post(merchant, '/products', created);
    }
    const identifier = `P-${random.whole(1, this.#products)}`;
    const action = random.pick(['update', 'update', 'update', 'disable', 'enable', 'delete']);
    const fields = action === 'update' ? this.#newFields() : {};
    await this.#post(merchant, `/products/${action}`, { identifier, ...fields });
  }

  #newFields() {
    const random = this.#random;
    return {
      campaign_name: random.pick([...NAMES, null]),
      category: random.pick(['Home', 'Home | Vases', 'Home | Bowls | Blue', null]),
      scheduling_fee_bid: random.pick([null, 0.4, 1.25, 3]),
      max_daily_schedules: random.pick([null, 0, 4]),
      available_quantity: random.whole(0, 12),
    };
  }

  async #importFile(merchant: TestMerchant): Promise<void> {
    const drafts = Array.from({ length: this.#random.whole(1, 5) }, () => {
      this.#products += 1;
      return draft(`P-${this.#products}`, this.#newFields());
    });
    const { rejections } = await importDrafts(this.#service, merchant, [drafts]);
    assert.deepEqual(rejections, []);
  }

  async #changeCampaign(merchant: TestMerchant): Promise<void> {
    const random = this.#random;
    const campaigns = await campaignsOf(this.#service, merchant);
    const [first, ...rest] = campaigns.map(({ internal_id }) => internal_id);
    if (first === undefined || random.chance(0.3)) {
      const type = random.pick(['AuctionCampaign', 'Banner']);
      await this.#post(merchant, '/campaigns', { name: random.pick(NAMES), type, ...this.#newBid() });
      return;
    }
    const internal_id = random.pick([first, ...rest]);
    const action = random.pick(['update', 'update', 'rename', 'pause', 'resume', 'end']);
    if (action === 'rename')
      await this.#post(merchant, '/campaigns/update', { internal_id, name: random.pick(NAMES) });
    else if (action === 'update')
      await this.#post(merchant, '/campaigns/update', { internal_id, ...this.#newBid() });
    else await this.#post(merchant, `/campaigns/${action}`, { internal_id });
  }

  #newBid() {
    return { bid_amount: this.#random.pick([null, 0.5, 2, 2.505]) };
  }

  async #changeAsOperator(merchant: TestMerchant): Promise<void> {
    const random = this.#random;
    const kind = random.pick(['moderate', 'state', 'currency', 'campaign', 'test side', 'backup']);
    const path = `/merchants/${merchant.id}`;
    if (kind === 'moderate')
      await this.#put(`${path}/products/P-${random.whole(1, Math.max(1, this.#products))}/moderation`, {
        state: random.pick(['ok', 'problematic', 'banned']),
      });
    if (kind === 'state') await this.#put(path, { state: random.pick(['active', 'active', 'suspended']) });
    if (kind === 'currency') await this.#put(path, { currency: random.pick(CURRENCIES) });
    if (kind === 'campaign') await this.#setCampaignState(merchant, path);
    if (kind === 'test side') await this.#useTestSide(merchant);
    if (kind === 'backup') await this.#restoreBackup();
  }

  async #setCampaignState(merchant: TestMerchant, path: string): Promise<void> {
    const [campaign] = await campaignsOf(this.#service, merchant);
    if (campaign === undefined) return;
    const state = this.#random.pick(['Active', 'Paused', 'Expired', 'Lifetime Budget Exhausted']);
    await this.#put(`${path}/campaigns/${campaign.internal_id}/state`, { state });
  }

  async #useTestSide(merchant: TestMerchant): Promise<void> {
    const key = await this.#service.newTestKey(merchant);
    await this.#post(key, '/campaigns', { name: 'Spring', type: 'Banner', bid_amount: 100 });
    await this.#post(key, '/products', { identifier: 'P-1', title: 'A product', campaign_name: 'Spring' });
    await this.#post(key, '/test/reset', {});
  }

  /** As `expire-cursors` does it after a backup was restored. */
  async #restoreBackup(): Promise<void> {
    const { database } = this.#service;
    await database.transaction(
      async (connection) => {
        await startEpoch(connection);
        if (this.#random.chance(0.5)) await startFeedEpoch(connection);
      },
      { everyNode: true },
    );
  }

  async #put(path: string, json: object): Promise<void> {
    const { status, text } = await this.#service.operator('PUT', path, this.#operatorToken, { json });
    assert.ok(status < 500, text);
  }
}

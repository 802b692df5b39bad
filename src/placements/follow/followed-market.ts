import type { Database } from '../../database/database.ts';
import { type FeedBounds, findBounds } from '../../event-feed/queries.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Competition } from '../competition/competition.ts';
import { ScheduledCampaigns } from '../competition/scheduled-campaigns.ts';
import { competingCampaign, competingProduct } from './competing-rows.ts';
import { type KnownMerchant, KnownMerchants } from './known-merchants.ts';
import { type CatalogPosition, MerchantReader, type ProductsPage } from './merchant-reader.ts';
import { type CompetingCampaignRow, listCampaignEvents } from './queries.ts';
import type { Rests } from './rests.ts';
import { SellRates } from './sell-rates.ts';

const EVENTS_AT_ONCE = 1_000;
/** Greater than every internal ID. */
const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;

/** A merchant, and the change of its catalog up to which it is followed. */
type Followed = KnownMerchant & CatalogPosition;

interface FollowedMarketOptions {
  database: Database;
  competition: Competition;
  rests: Rests;
  /** For `SellRates`; null if products compete with their bids alone. */
  qualityWeight: number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Then `load` ends soon, with a part of the market. */
  isStopping: () => boolean;
}

/**
 * Makes a `Competition` equal to the database. Calls must not overlap.
 *
 * Nothing is missed, however late a transaction commits. Products are read in the order of their revisions,
 * which is the order of commits of their merchant. Changes of campaigns are read in the order of the event
 * feed, whose events get their numbers after the commit. Both positions are noted before anything is read,
 * and rows are always read in their newest state, so that reading one twice does no harm.
 */
export class FollowedMarket {
  readonly #database: Database;
  readonly #competition: Competition;
  readonly #scheduled: ScheduledCampaigns;
  readonly #rests: Rests;
  readonly #qualityWeight: number | null;
  readonly #now: () => number;
  readonly #isStopping: () => boolean;
  readonly #known: KnownMerchants;
  readonly #reader: MerchantReader;
  readonly #merchants = new Map<number, Followed>();
  #feed: Pick<FeedBounds, 'epoch' | 'last_number'> | undefined;
  #rates: SellRates | null = null;

  constructor(options: FollowedMarketOptions) {
    const { database, competition, rests, qualityWeight, now, isStopping } = options;
    this.#database = database;
    this.#known = new KnownMerchants(database);
    this.#reader = new MerchantReader(database, qualityWeight !== null);
    this.#competition = competition;
    this.#scheduled = new ScheduledCampaigns(competition);
    this.#rests = rests;
    this.#now = now;
    this.#qualityWeight = qualityWeight;
    this.#isStopping = isStopping;
  }

  /** Reads everything, again if it was read before. Call `catchUp` after it. */
  async load(): Promise<void> {
    this.#rests.forget();
    await this.#forgetAllBut(new Set());
    this.#feed = await this.#database.first(findBounds);
    this.#known.forget();
    await this.#known.read();
    const merchants = [...this.#known.all()];
    const unlessStopping = (work: (merchant: KnownMerchant) => Promise<void>): Promise<void> =>
      inParallel(merchants, async (merchant) => {
        if (!this.#isStopping()) await work(merchant);
      });
    if (this.#qualityWeight !== null) {
      const rates = new SellRates(this.#qualityWeight);
      await unlessStopping(({ id }) => this.#reader.addCategories(rates, id));
      this.#rates = rates;
    }
    await unlessStopping((merchant) => this.#loadMerchant(merchant));
  }

  /** Follows the clock: campaigns compete in the slots of their `hourly_schedule`. */
  turn(): void {
    this.#scheduled.turn(this.#now());
  }

  /** Follows all changes. Resolves to false if the database has another history: `load` has to be called. */
  async catchUp(): Promise<boolean> {
    const [feed] = await Promise.all([this.#database.first(findBounds), this.#known.read()]);
    if (this.#isOtherHistory(feed)) return false;
    const moved: [Followed, KnownMerchant][] = [];
    const merchants = [...this.#known.all()];
    await this.#forgetAllBut(new Set(merchants.map(({ id }) => id)));
    for (const merchant of merchants) {
      const known = this.#merchants.get(merchant.id);
      if (known === undefined || isReplaced(known, merchant)) {
        await this.#loadMerchant(merchant);
        continue;
      }
      if (known.isActive !== merchant.isActive) this.#setMerchant(known, merchant);
      if (known.revision < merchant.revision) moved.push([known, merchant]);
    }
    await this.#followCampaigns(feed);
    await inParallel(moved, ([known, { revision }]) => this.#followProducts(known, revision));
    return true;
  }

  /**
   * Reads the sell rates of all categories, and then of all products, which other changes of their qualities
   * do not announce. Yields after a few milliseconds of work; `catchUp` may be called then.
   */
  async *refreshQualities(): AsyncGenerator<void> {
    if (this.#qualityWeight === null) return;
    const rates = new SellRates(this.#qualityWeight);
    for (const merchantId of [...this.#merchants.keys()]) {
      await this.#reader.addCategories(rates, merchantId);
      yield;
    }
    this.#rates = rates;
    for (const merchantId of [...this.#merchants.keys()]) {
      if (!this.#merchants.has(merchantId)) continue;
      for await (const page of this.#reader.products(merchantId)) {
        await this.#setProducts(merchantId, page);
        yield;
        if (!this.#merchants.has(merchantId)) break;
      }
    }
  }

  #isOtherHistory(feed: FeedBounds | undefined): boolean {
    // There is no feed before the first event.
    if (this.#feed === undefined) return false;
    if (feed === undefined || feed.epoch !== this.#feed.epoch) return true;
    const { last_number: number } = this.#feed;
    return feed.last_number < number || feed.deleted_up_to > number;
  }

  async #loadMerchant(merchant: KnownMerchant): Promise<void> {
    const { id } = merchant;
    this.#forgetMerchant(id);
    const { currency, isActive } = merchant;
    this.#competition.setMerchant({ merchantId: id, currency, isActive });
    for await (const rows of this.#reader.campaigns(id)) await this.#setCampaigns(merchant, rows);
    for await (const page of this.#reader.products(id)) {
      await this.#setProducts(id, page);
      if (this.#isStopping()) return;
    }
    this.#merchants.set(id, { ...merchant, afterId: AFTER_ALL_IDS });
  }

  async #forgetAllBut(kept: ReadonlySet<number>): Promise<void> {
    const slices = new TimeSlices();
    for (const id of [...this.#merchants.keys()]) {
      if (!kept.has(id)) this.#forgetMerchant(id);
      await slices.pause();
    }
  }

  #forgetMerchant(id: number): void {
    this.#merchants.delete(id);
    this.#scheduled.removeMerchant(id);
  }

  #setMerchant(known: Followed, { id, currency, isActive }: KnownMerchant): void {
    this.#competition.setMerchant({ merchantId: id, currency, isActive });
    known.isActive = isActive;
  }

  async #setCampaigns(
    { id: merchantId, timeZone }: KnownMerchant,
    rows: readonly CompetingCampaignRow[],
  ): Promise<void> {
    const slices = new TimeSlices();
    for (const row of rows) {
      this.#scheduled.set(competingCampaign(merchantId, row), timeZone, this.#now());
      this.#rests.endAfterCampaign(merchantId, row.id);
      if (slices.isOver) await slices.pause();
    }
  }

  async #setProducts(merchantId: number, { rows, placements }: ProductsPage): Promise<void> {
    const slices = new TimeSlices();
    for (const row of rows) {
      const tries = placements.get(row.internal_id);
      this.#competition.setProduct(competingProduct(merchantId, row, this.#rates, tries));
      if (slices.isOver) await slices.pause();
    }
  }

  async #followCampaigns(feed: FeedBounds | undefined): Promise<void> {
    if (feed === undefined) return;
    const { epoch, last_number } = feed;
    for (let after = this.#feed?.last_number ?? 0; after < last_number; ) {
      const upTo = Math.min(after + EVENTS_AT_ONCE, last_number);
      const events = await this.#database.all(listCampaignEvents, { after, upTo });
      for (const [merchantId, ofMerchant] of Map.groupBy(events, ({ merchant_id }) => merchant_id)) {
        const merchant = this.#merchants.get(merchantId);
        if (merchant === undefined) continue;
        const ids = new Set(ofMerchant.map(({ data }) => campaignIdOf(data)));
        await this.#setCampaigns(merchant, await this.#reader.campaignsOfIds(merchantId, [...ids]));
      }
      this.#feed = { epoch, last_number: upTo };
      after = upTo;
    }
    this.#feed ??= { epoch, last_number };
  }

  /** Follows changes of a merchant's products, at least up to a revision. */
  async #followProducts(known: Followed, revision: number): Promise<void> {
    const { id } = known;
    for await (const { end, ...page } of this.#reader.changedProducts(id, known)) {
      await this.#setProducts(id, page);
      for (const { internal_id } of page.rows) this.#rests.endAfterProduct(id, internal_id);
      Object.assign(known, end);
    }
    if (known.revision < revision) Object.assign(known, { revision, afterId: AFTER_ALL_IDS });
  }
}

/** Whether a merchant's rows have to be read again: after a restored backup, or a change of its zone. */
function isReplaced(known: Followed, merchant: KnownMerchant): boolean {
  const isSame = known.currency === merchant.currency && known.timeZone === merchant.timeZone;
  return !isSame || known.revision > merchant.revision;
}

function campaignIdOf(data: string): string {
  const { internal_id } = JSON.parse(data) as { internal_id: string };
  return internal_id;
}

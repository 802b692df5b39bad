import type { Database, Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { type FeedBounds, findBounds } from '../../event-feed/queries.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Competition } from '../competition/competition.ts';
import { ScheduledCampaigns } from '../competition/scheduled-campaigns.ts';
import { competingCampaign, competingProduct, competingRow } from './competing-rows.ts';
import { inParallel } from './in-parallel.ts';
import { type MerchantState, MerchantStates } from './merchant-states.ts';
import {
  type CompetingRow,
  type CompetingValues,
  findCampaignsByIds,
  listCampaignEvents,
  listCampaigns,
  listChangedProducts,
  listProducts,
  sumCategories,
  sumPlacements,
} from './queries.ts';
import type { Rests } from './rests.ts';
import { SellRates, type Tries } from './sell-rates.ts';

const CAMPAIGNS_AT_ONCE = 500;
/** A power of two. */
const PRODUCTS_AT_ONCE = 512;
const EVENTS_AT_ONCE = 1_000;
/** Greater than every internal ID. */
const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;

/** Up to which change of its catalog a merchant is followed. */
interface Followed extends MerchantState {
  /** The internal ID of the last product of the revision. */
  afterId: number;
}

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
 * which is the order of commits of their merchant, and the changes of campaigns in the order of the event
 * feed, whose events get their numbers after the commit. Both positions are noted before anything is read, and
 * rows are always read in their newest state, so that reading one twice does no harm.
 */
export class FollowedMarket {
  readonly #database: Database;
  readonly #competition: Competition;
  readonly #scheduled: ScheduledCampaigns;
  readonly #rests: Rests;
  readonly #qualityWeight: number | null;
  readonly #now: () => number;
  readonly #isStopping: () => boolean;
  readonly #states: MerchantStates;
  readonly #listProducts: ReturnType<typeof listProducts>;
  readonly #merchants = new Map<number, Followed>();
  #feed: Pick<FeedBounds, 'epoch' | 'last_number'> | undefined;
  #rates: SellRates | null = null;

  constructor(options: FollowedMarketOptions) {
    const { database, competition, rests, qualityWeight, now, isStopping } = options;
    this.#database = database;
    this.#states = new MerchantStates(database);
    this.#listProducts = listProducts(database.dialect, PRODUCTS_AT_ONCE);
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
    this.#states.forget();
    await this.#states.read();
    const merchants = [...this.#states.all()];
    const unlessStopping = (work: (merchant: MerchantState) => Promise<void>): Promise<void> =>
      inParallel(merchants, async (merchant) => {
        if (!this.#isStopping()) await work(merchant);
      });
    if (this.#qualityWeight !== null) {
      const rates = new SellRates(this.#qualityWeight);
      await unlessStopping(({ id }) => this.#addTo(rates, id));
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
    const [feed] = await Promise.all([this.#database.first(findBounds), this.#states.read()]);
    if (this.#isOtherHistory(feed)) return false;
    const moved: [Followed, MerchantState][] = [];
    const merchants = [...this.#states.all()];
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
      await this.#addTo(rates, merchantId);
      yield;
    }
    this.#rates = rates;
    for (const merchantId of [...this.#merchants.keys()]) {
      if (!this.#merchants.has(merchantId)) continue;
      for await (const _ of this.#readProducts(merchantId)) {
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

  async #loadMerchant(merchant: MerchantState): Promise<void> {
    const { id } = merchant;
    this.#forgetMerchant(id);
    const { currency, isActive } = merchant;
    this.#competition.setMerchant({ merchantId: id, currency, isActive });
    await this.#loadCampaigns(merchant);
    for await (const _ of this.#readProducts(id));
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

  #setMerchant(known: Followed, { id, currency, isActive }: MerchantState): void {
    this.#competition.setMerchant({ merchantId: id, currency, isActive });
    known.isActive = isActive;
  }

  async #loadCampaigns({ id: merchantId, timeZone }: MerchantState): Promise<void> {
    const slices = new TimeSlices();
    for (let after = '', isMore = true; isMore; ) {
      const page = { merchantId, after, limit: CAMPAIGNS_AT_ONCE };
      const rows = await this.#offLoop(merchantId, (reader) => reader.all(listCampaigns, page));
      for (const row of rows) {
        this.#scheduled.set(competingCampaign(merchantId, row), timeZone, this.#now());
        if (slices.isOver) await slices.pause();
      }
      after = rows.at(-1)?.id ?? after;
      isMore = rows.length === CAMPAIGNS_AT_ONCE;
    }
  }

  /** Sets all products of a merchant that have a campaign name. Yields after each page. */
  async *#readProducts(merchantId: number): AsyncGenerator<void> {
    for (let afterName = '', afterId = 0, isMore = true; isMore; ) {
      const page = { merchantId, afterName, afterId, limit: PRODUCTS_AT_ONCE };
      const found = await this.#database.firstWithItems(this.#listProducts, page, { offLoop: true });
      const values = JSON.parse(Buffer.from(found?.items ?? []).toString() || '[]') as CompetingValues[];
      const rows = values.map(competingRow);
      const isPlaced = found?.row.placed === 1;
      await this.#setProducts(
        merchantId,
        rows,
        isPlaced ? await this.#placementsOf(merchantId, rows) : NO_TRIES,
      );
      const last = rows.at(-1);
      afterName = last?.campaign_name ?? afterName;
      afterId = last?.internal_id ?? afterId;
      isMore = rows.length === PRODUCTS_AT_ONCE;
      yield;
    }
  }

  async #setProducts(
    merchantId: number,
    rows: readonly CompetingRow[],
    placements: ReadonlyMap<number, Tries>,
  ): Promise<void> {
    const slices = new TimeSlices();
    for (const row of rows) {
      const tries = placements.get(row.internal_id);
      this.#competition.setProduct(competingProduct(merchantId, row, this.#rates, tries));
      if (slices.isOver) await slices.pause();
    }
  }

  async #addTo(rates: SellRates, merchantId: number): Promise<void> {
    const sums = await this.#offLoop(merchantId, (reader) => reader.all(sumCategories, { merchantId }));
    for (const { category_1, category_2, ...tries } of sums) rates.add([category_1, category_2], tries);
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
        await this.#setCampaigns(merchant, [...ids]);
      }
      this.#feed = { epoch, last_number: upTo };
      after = upTo;
    }
    this.#feed ??= { epoch, last_number };
  }

  async #setCampaigns({ id: merchantId, timeZone }: MerchantState, ids: readonly string[]): Promise<void> {
    const rows = await lookUp(this.#database, findCampaignsByIds, merchantId, ids);
    const slices = new TimeSlices();
    for (const row of rows) {
      this.#scheduled.set(competingCampaign(merchantId, row), timeZone, this.#now());
      this.#rests.endAfterCampaign(merchantId, row.id);
      if (slices.isOver) await slices.pause();
    }
  }

  /** Follows changes of a merchant's products, at least up to a revision. */
  async #followProducts(known: Followed, revision: number): Promise<void> {
    const { id: merchantId } = known;
    for (let isMore = true; isMore; ) {
      const { revision: afterRevision, afterId } = known;
      const page = { merchantId, afterRevision, afterId, limit: PRODUCTS_AT_ONCE };
      const rows = await this.#database.all(listChangedProducts, page);
      await this.#setProducts(merchantId, rows, await this.#placementsOf(merchantId, rows));
      for (const row of rows) this.#rests.endAfterProduct(merchantId, row.internal_id);
      const last = rows.at(-1);
      if (last !== undefined) {
        known.revision = last.revision;
        known.afterId = last.internal_id;
      }
      isMore = rows.length === PRODUCTS_AT_ONCE;
    }
    if (known.revision >= revision) return;
    known.revision = revision;
    known.afterId = AFTER_ALL_IDS;
  }

  async #placementsOf(
    merchantId: number,
    products: readonly CompetingRow[],
  ): Promise<ReadonlyMap<number, Tries>> {
    if (this.#rates === null) return NO_TRIES;
    const ids = products.map(({ internal_id }) => internal_id);
    const sums = await lookUp(this.#database, sumPlacements, merchantId, ids);
    return new Map(
      sums.map(({ product_id, delivered, orders }) => [product_id, { tries: delivered, sold: orders }]),
    );
  }

  #offLoop<T>(merchantId: number, read: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#database.snapshot(read, { offLoop: true, merchantId });
  }
}

const NO_TRIES: ReadonlyMap<number, Tries> = new Map();

/** Whether a merchant's rows have to be read again: after a restored backup, or a change of its zone. */
function isReplaced(known: Followed, merchant: MerchantState): boolean {
  const isSame = known.currency === merchant.currency && known.timeZone === merchant.timeZone;
  return !isSame || known.revision > merchant.revision;
}

function campaignIdOf(data: string): string {
  const { internal_id } = JSON.parse(data) as { internal_id: string };
  return internal_id;
}

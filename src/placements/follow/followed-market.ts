import type { Database } from '../../database/database.ts';
import { type FeedBounds, findBounds } from '../../event-feed/queries.ts';
import { inParallel } from '../../shared/in-parallel.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Competition } from '../competition/competition.ts';
import { type Followed, MerchantFollower } from './merchant-follower.ts';
import { isReplaced, MerchantLoads } from './merchant-loads.ts';
import { type MerchantSnapshot, MerchantSnapshots } from './merchant-snapshots.ts';
import { listCampaignEvents } from './queries.ts';
import type { Rests } from './rests.ts';
import { SellRates } from './sell-rates.ts';

const EVENTS_AT_ONCE = 1_000;

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
  /** Gets why a merchant could not be loaded. Its load begins again in a later `catchUp`. */
  onError: (error: unknown) => void;
  /** Called when the next `catchUp` lets merchants compete that were loaded. */
  onLoaded: () => void;
}

/**
 * Makes a `Competition` equal to the database. Calls must not overlap.
 *
 * Nothing is missed, however late a transaction commits. Products are read in the order of their revisions,
 * which is the order of commits of their merchant. Changes of campaigns are read in the order of the event
 * feed, whose events get their numbers after the commit. Both positions are noted before anything is read,
 * and rows are always read in their newest state, so that reading one twice does no harm.
 *
 * A merchant competes only after all of it was read. Others are followed meanwhile.
 */
export class FollowedMarket {
  readonly #database: Database;
  readonly #qualityWeight: number | null;
  readonly #isStopping: () => boolean;
  readonly #snapshots: MerchantSnapshots;
  readonly #follower: MerchantFollower;
  readonly #loads: MerchantLoads;
  /** Merchants of which everything was read. */
  readonly #merchants = new Map<number, Followed>();
  #feed: Pick<FeedBounds, 'epoch' | 'last_number'> | undefined;
  #isLoading = false;

  constructor(options: FollowedMarketOptions) {
    const { database, qualityWeight, isStopping } = options;
    this.#database = database;
    this.#qualityWeight = qualityWeight;
    this.#isStopping = isStopping;
    this.#snapshots = new MerchantSnapshots(database);
    this.#follower = new MerchantFollower({ ...options, hasQuality: qualityWeight !== null });
    this.#loads = new MerchantLoads({ ...options, follower: this.#follower });
  }

  /** Whether some merchants did not compete after the last `catchUp`, because they are not loaded. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  get currencies(): ReadonlySet<string> {
    return this.#snapshots.currencies;
  }

  /** Reads everything, again if it was read before. Call `catchUp` after it. */
  async load(): Promise<void> {
    this.#isLoading = true;
    await this.#forgetAllBut(new Set());
    await this.#loads.ended();
    this.#feed = await this.#database.first(findBounds);
    this.#snapshots.forget();
    await this.#snapshots.read();
    const merchants = [...this.#snapshots.all()];
    if (this.#qualityWeight !== null) {
      const rates = new SellRates(this.#qualityWeight);
      await inParallel(merchants, async ({ id }) => {
        if (!this.#isStopping()) await this.#follower.addCategories(rates, id);
      });
      this.#follower.rates = rates;
    }
    for (const merchant of merchants) this.#loads.begin(merchant);
    await this.#loads.ended();
  }

  /** Resolves after the loads in progress, which end soon after `isStopping`. */
  async close(): Promise<void> {
    await this.#loads.ended();
  }

  /** Follows the clock: campaigns compete in the slots of their `hourly_schedule`. */
  applySlots(): void {
    this.#follower.applySlots();
  }

  /**
   * Follows all changes, and begins to load new merchants. Resolves to false if the database has another
   * history: `load` has to be called.
   */
  async catchUp(): Promise<boolean> {
    // First: a merchant that is loaded after the revisions were read may have a newer revision.
    for (const merchant of this.#loads.takeLoaded()) this.#merchants.set(merchant.id, merchant);
    const [feed] = await Promise.all([this.#database.first(findBounds), this.#snapshots.read()]);
    if (this.#isOtherHistory(feed)) return false;
    const snapshots = [...this.#snapshots.all()];
    await this.#forgetAllBut(new Set(snapshots.map(({ id }) => id)));
    const followed = snapshots.flatMap((snapshot) => this.#followedOf(snapshot) ?? []);
    await this.#noteCampaigns(feed);
    for (const { merchant } of followed)
      if (merchant.changedCampaigns.size > 0) await this.#follower.followCampaigns(merchant);
    const moved = followed.filter(({ merchant, snapshot }) => merchant.revision < snapshot.revision);
    await inParallel(moved, ({ merchant, snapshot }) =>
      this.#follower.followProducts(merchant, snapshot.revision),
    );
    const slices = new TimeSlices();
    for (const { merchant, snapshot } of followed) {
      this.#follower.setActive(merchant, snapshot.isActive);
      if (slices.isOver) await slices.pause();
    }
    this.#isLoading = followed.length < snapshots.length || !this.#loads.isEmpty;
    return true;
  }

  /**
   * Reads the sell rates of all categories and then of all products again, because a sale changes the quality
   * of other products too. Yields after a few milliseconds of work; `catchUp` may be called then.
   */
  async *refreshQualities(): AsyncGenerator<void> {
    if (this.#qualityWeight === null) return;
    const rates = new SellRates(this.#qualityWeight);
    for (const { id } of [...this.#snapshots.all()]) {
      await this.#follower.addCategories(rates, id);
      yield;
    }
    this.#follower.rates = rates;
    // Merchants that are loaded meanwhile come last.
    for (const merchantId of this.#merchants.keys()) {
      for await (const _ of this.#follower.refreshQualities(merchantId)) {
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

  async #forgetAllBut(kept: ReadonlySet<number>): Promise<void> {
    const slices = new TimeSlices();
    for (const [id, merchant] of this.#merchants) {
      if (kept.has(id)) continue;
      this.#forget(merchant);
      this.#loads.remove(id);
      if (slices.isOver) await slices.pause();
    }
    for (const id of [...this.#loads.ids()]) if (!kept.has(id)) this.#loads.remove(id);
  }

  #forget(merchant: Followed): void {
    this.#follower.setActive(merchant, false);
    this.#merchants.delete(merchant.id);
  }

  /** Returns nothing, and begins to load the merchant, if it has to be read. */
  #followedOf(snapshot: MerchantSnapshot): { merchant: Followed; snapshot: MerchantSnapshot } | undefined {
    const merchant = this.#merchants.get(snapshot.id);
    if (merchant !== undefined && !isReplaced(merchant, snapshot)) {
      if (!snapshot.isActive) this.#follower.setActive(merchant, false);
      return { merchant, snapshot };
    }
    if (merchant !== undefined) this.#forget(merchant);
    this.#loads.begin(snapshot);
    return undefined;
  }

  /** Notes which campaigns events say have changed. */
  async #noteCampaigns(feed: FeedBounds | undefined): Promise<void> {
    if (feed === undefined) return;
    const { epoch, last_number } = feed;
    for (let after = this.#feed?.last_number ?? 0; after < last_number; ) {
      const upTo = Math.min(after + EVENTS_AT_ONCE, last_number);
      for (const { merchant_id: id, data } of await this.#database.all(listCampaignEvents, { after, upTo })) {
        const merchant = this.#merchants.get(id) ?? this.#loads.find(id);
        merchant?.changedCampaigns.add(campaignIdOf(data));
      }
      this.#feed = { epoch, last_number: upTo };
      after = upTo;
    }
    this.#feed ??= { epoch, last_number };
  }
}

function campaignIdOf(data: string): string {
  const { internal_id } = JSON.parse(data) as { internal_id: string };
  return internal_id;
}

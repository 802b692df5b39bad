import type { Database } from '../../database/database.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Competition } from '../competition/competition.ts';
import { ScheduledCampaigns } from '../competition/scheduled-campaigns.ts';
import { competingCampaign, competingProduct } from './competing-rows.ts';
import { type CatalogPosition, MerchantReader, type ProductsPage } from './merchant-reader.ts';
import type { MerchantSnapshot } from './merchant-snapshots.ts';
import type { CompetingCampaignRow } from './queries.ts';
import type { Rests } from './rests.ts';
import type { SellRates } from './sell-rates.ts';

/** Greater than every internal ID. */
const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;

/**
 * A merchant in the competition, and the change of its catalog up to which it is followed. `isActive` says
 * whether it competes.
 */
export interface Followed extends MerchantSnapshot, CatalogPosition {
  /** The IDs of campaigns that have changed since they were read. */
  changedCampaigns: Set<string>;
}

/** Returns a merchant of which nothing has been read. */
export function unread(merchant: MerchantSnapshot): Followed {
  return { ...merchant, isActive: false, afterId: AFTER_ALL_IDS, changedCampaigns: new Set() };
}

interface MerchantFollowerOptions {
  database: Database;
  competition: Competition;
  rests: Rests;
  /** Whether products have qualities, of `rates`. */
  hasQuality: boolean;
  /** Milliseconds since 1970. */
  now: () => number;
}

/**
 * Makes what one merchant has in the competition equal to the database. Calls for the same merchant must not
 * overlap. Works for a few milliseconds at a time.
 */
export class MerchantFollower {
  /** For qualities of products; null if products compete with their bids alone. */
  rates: SellRates | null = null;
  readonly #competition: Competition;
  readonly #scheduled: ScheduledCampaigns;
  readonly #rests: Rests;
  readonly #now: () => number;
  readonly #reader: MerchantReader;

  constructor({ database, competition, rests, hasQuality, now }: MerchantFollowerOptions) {
    this.#competition = competition;
    this.#scheduled = new ScheduledCampaigns(competition);
    this.#rests = rests;
    this.#now = now;
    this.#reader = new MerchantReader(database, hasQuality);
  }

  /** Follows the clock: campaigns compete in the slots of their `hourly_schedule`. */
  applySlots(): void {
    this.#scheduled.applySlots(this.#now());
  }

  /** Takes a merchant out of the competition, or back into it, however many products it has. */
  setActive(merchant: Followed, isActive: boolean): void {
    if (merchant.isActive === isActive) return;
    const { id: merchantId, currency } = merchant;
    this.#competition.setMerchant({ merchantId, currency, isActive });
    merchant.isActive = isActive;
  }

  /** Does nothing if the merchant is not there. It does not compete from the beginning. */
  async remove(merchantId: number): Promise<void> {
    this.#rests.forgetMerchant(merchantId);
    const slices = new TimeSlices();
    for (const _ of this.#scheduled.removal(merchantId)) if (slices.isOver) await slices.pause();
  }

  /**
   * Reads a merchant from the beginning, and then what has changed meanwhile. It does not compete until
   * `setActive`. Ends soon after `isOver`, with a part of the merchant.
   */
  async load(merchant: Followed, isOver: () => boolean): Promise<void> {
    const { id, currency } = merchant;
    await this.remove(id);
    this.#competition.setMerchant({ merchantId: id, currency, isActive: false });
    for await (const rows of this.#reader.campaigns(id)) {
      await this.#setCampaigns(merchant, rows);
      if (isOver()) return;
    }
    for await (const page of this.#reader.products(id)) {
      await this.#setProducts(id, page);
      if (isOver()) return;
    }
    await this.followCampaigns(merchant);
    await this.followProducts(merchant, merchant.revision);
  }

  /** Reads the changed campaigns again. */
  async followCampaigns(merchant: Followed): Promise<void> {
    const ids = [...merchant.changedCampaigns];
    if (ids.length === 0) return;
    // Before they are read: one that changes meanwhile is read again.
    merchant.changedCampaigns.clear();
    try {
      await this.#setCampaigns(merchant, await this.#reader.campaignsOfIds(merchant.id, ids));
    } catch (error) {
      for (const id of ids) merchant.changedCampaigns.add(id);
      throw error;
    }
    for (const id of ids) this.#rests.endAfterCampaign(merchant.id, id);
  }

  /** Follows changes of a merchant's products, at least up to a revision. */
  async followProducts(merchant: Followed, revision: number): Promise<void> {
    const { id } = merchant;
    for await (const { end, ...page } of this.#reader.changedProducts(id, merchant)) {
      await this.#setProducts(id, page);
      for (const { internal_id } of page.rows) this.#rests.endAfterProduct(id, internal_id);
      Object.assign(merchant, end);
    }
    if (merchant.revision < revision) Object.assign(merchant, { revision, afterId: AFTER_ALL_IDS });
  }

  async addCategories(rates: SellRates, merchantId: number): Promise<void> {
    await this.#reader.addCategories(rates, merchantId);
  }

  /** Reads all products again, with newer `rates`. Yields after each page; others may be called then. */
  async *refreshQualities(merchantId: number): AsyncGenerator<void> {
    for await (const page of this.#reader.products(merchantId)) {
      await this.#setProducts(merchantId, page);
      yield;
    }
  }

  async #setCampaigns(
    { id: merchantId, timeZone }: MerchantSnapshot,
    rows: readonly CompetingCampaignRow[],
  ): Promise<void> {
    const slices = new TimeSlices();
    for (const row of rows) {
      this.#scheduled.set(competingCampaign(merchantId, row), timeZone, this.#now());
      if (slices.isOver) await slices.pause();
    }
  }

  async #setProducts(merchantId: number, { rows, placements }: ProductsPage): Promise<void> {
    const slices = new TimeSlices();
    for (const row of rows) {
      const tries = placements.get(row.internal_id);
      this.#competition.setProduct(competingProduct(merchantId, row, this.rates, tries));
      if (slices.isOver) await slices.pause();
    }
  }
}

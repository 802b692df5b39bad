import type { CampaignRow } from '../../campaigns/campaign.ts';
import { findCampaignRow, lockCampaign } from '../../campaigns/queries.ts';
import { slotIn } from '../../campaigns/schedule-slots.ts';
import type { Connection } from '../../database/database.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import { SHORT_LIST } from '../../database/statement.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { bidUnitsOf } from '../../shared/amounts.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { lossOf, standingOfCampaign, standingOfProduct } from '../competition/standings.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import { type ProductTerms, termsOf } from '../follow/competing-rows.ts';
import { lockProductDays } from '../record/lock-product-days.ts';
import { type FiguresOf, type FiguresRow, listFigures } from '../record/queries.ts';
import { Book, candidateKey, figuresKey, productKey } from './book.ts';
import { type CompetingProductRow, findCompetingProducts } from './queries.ts';

/** Of a campaign, next to 0 for all products. Usually, it has only one or two. */
const PRODUCTS_AT_ONCE = SHORT_LIST - 1;
const NO_TERMS: ProductTerms = { schedulingFeeBid: null, maxDailySchedules: null };
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000;

/** What is read of a campaign in one step. */
interface Wanted {
  merchantId: number;
  campaignId: string;
  isWinning: boolean;
  candidates: readonly Candidate[];
}

/**
 * Reads candidates into a book, in a transaction. The campaigns of those that are going to win are locked, so
 * that what is left of their budgets stays as it was read.
 */
export class BookReader {
  readonly book = new Book();
  readonly #connection: Connection;
  readonly #now: number;
  readonly #locked = new Set<string>();
  /** By `productKey`. */
  readonly #lockedProducts = new Set<string>();
  /** All candidates so far, by campaign. */
  readonly #candidates = new Map<string, Set<Candidate>>();
  /** Those whose products and merchants were read after everything was locked. */
  readonly #fresh = new Set<Candidate>();
  /** '' for all days, and each day that it is somewhere: time zones are read at the same time. */
  readonly #anyDays: readonly string[];
  /** Of time zones. */
  readonly #days = new Map<string, { today: string; slot: number }>();

  constructor({ connection, now }: { connection: Connection; now: number }) {
    this.#connection = connection;
    this.#now = now;
    const around = [-HALF_A_DAY_MS, 0, HALF_A_DAY_MS, 2 * HALF_A_DAY_MS].map((offset) =>
      new Date(now + offset).toISOString().slice(0, 10),
    );
    this.#anyDays = ['', ...new Set(around)];
  }

  /** Whether a candidate can win: everything is locked that its place counts against. */
  isLocked(candidate: Candidate): boolean {
    const found = this.book.find(candidate);
    if (found === undefined || !this.#locked.has(candidate.campaignId)) return false;
    return found.product.maxDailySchedules === null || this.#lockedProducts.has(productKey(candidate));
  }

  /** A candidate that is read again has to be judged again. */
  async read(winning: readonly Candidate[], others: readonly Candidate[]): Promise<void> {
    const wanted = this.#wanted(new Set(winning), others);
    const { campaigns } = this.book.data;
    const locking = wanted.filter(({ isWinning, campaignId }) => isWinning && !this.#locked.has(campaignId));
    for (const { campaignId } of locking) this.#locked.add(campaignId);
    const finding = wanted.filter(
      ({ campaignId }) => !this.#locked.has(campaignId) && !(campaignId in campaigns),
    );
    await this.#readAll(wanted, locking, finding);
    await this.#lockProducts(winning);
  }

  /**
   * Reads the products and merchants of winners again, unless they were read after the last lock: locking
   * may have taken long. Resolves to whether nothing has changed. Otherwise, it has to be decided again.
   */
  async confirm(winners: readonly Candidate[]): Promise<boolean> {
    const stale = winners.filter((candidate) => !this.#fresh.has(candidate));
    const parts = stale.map((candidate) => ({ ...candidate, candidates: [candidate] }));
    const before = stale.map((candidate) => JSON.stringify(this.book.get(candidate)));
    const products = await this.#connection.allEach(findCompetingProducts, parts.map(productsOf));
    for (const [index, part] of parts.entries()) this.#keepProducts(part, products[index] ?? []);
    for (const candidate of stale) this.#fresh.add(candidate);
    return stale.every((candidate, index) => JSON.stringify(this.book.get(candidate)) === before[index]);
  }

  #wanted(winning: ReadonlySet<Candidate>, others: readonly Candidate[]): Wanted[] {
    const wanted = new Map<string, Wanted>();
    for (const candidate of [...winning, ...others]) {
      const { merchantId, campaignId } = candidate;
      const ofCampaign = this.#candidates.get(campaignId) ?? new Set();
      this.#candidates.set(campaignId, ofCampaign.add(candidate));
      const each = wanted.get(campaignId) ?? { merchantId, campaignId, isWinning: false, candidates: [] };
      if (winning.has(candidate)) each.isWinning = true;
      wanted.set(campaignId, each);
      each.candidates = [...each.candidates, candidate];
    }
    for (const each of wanted.values()) {
      // Others may have changed what was read before the lock.
      if (each.isWinning && !this.#locked.has(each.campaignId))
        each.candidates = [...(this.#candidates.get(each.campaignId) ?? [])];
    }
    return [...wanted.values()].sort(
      (one, other) => one.merchantId - other.merchantId || (one.campaignId < other.campaignId ? -1 : 1),
    );
  }

  /** Everything is sent together. What is read of a campaign follows its lock. */
  async #readAll(
    wanted: readonly Wanted[],
    locking: readonly Wanted[],
    finding: readonly Wanted[],
  ): Promise<void> {
    const connection = this.#connection;
    const parts = wanted.flatMap(({ candidates, ...campaign }) =>
      [...partsOf(candidates, PRODUCTS_AT_ONCE)].map((part) => ({ ...campaign, candidates: part })),
    );
    const ofFigures = parts.flatMap((part) => this.#figuresOf(part));
    const [locked, found, products, figures] = await Promise.all([
      connection.allEach(lockCampaign, locking.map(keyOf)),
      connection.allEach(findCampaignRow, finding.map(keyOf)),
      connection.allEach(findCompetingProducts, parts.map(productsOf)),
      connection.allEach(listFigures.short ?? listFigures, ofFigures),
    ]);
    if (locking.length > 0) this.#fresh.clear();
    for (const { candidates } of parts) for (const each of candidates) this.#fresh.add(each);
    for (const { campaignId } of [...locking, ...finding]) this.#keepCampaign(campaignId, undefined);
    for (const row of [...locked, ...found].flat()) this.#keepCampaign(row.id, row);
    for (const [index, part] of parts.entries()) this.#keepProducts(part, products[index] ?? []);
    for (const [index, { merchantId }] of ofFigures.entries())
      this.#keepFigures(merchantId, figures[index] ?? []);
  }

  /** Of the campaign and its products, and of products in all campaigns. */
  #figuresOf({ merchantId, campaignId, candidates }: Wanted): FiguresOf[] {
    const of = { merchantId, days: this.#anyDays };
    const ofCampaign = { ...of, campaignId, products: [0, ...candidates.map(idOf)] };
    const limited = candidates.filter(({ maxDailySchedules }) => maxDailySchedules !== null);
    if (limited.length === 0) return [ofCampaign];
    return [ofCampaign, { ...of, campaignId: '', products: limited.map(idOf) }];
  }

  #keepProducts(
    { merchantId, campaignId, candidates }: Omit<Wanted, 'isWinning'>,
    rows: readonly CompetingProductRow[],
  ): void {
    const { campaigns, products } = this.book.data;
    this.#keepMerchant(merchantId, rows[0]);
    const found = new Map(rows.map((row) => [row.internal_id, row]));
    for (const candidate of candidates) {
      const { productId } = candidate;
      const row = found.get(productId);
      // It may have left the campaign, or been deleted.
      const isIn = row !== undefined && row.campaign_name === campaigns[campaignId]?.name;
      products[candidateKey(candidate)] = {
        identifier: row?.identifier ?? '',
        ...(row === undefined ? NO_TERMS : termsOf(row)),
        loss: isIn ? lossOfState(standingOfProduct(row.status), 'disabled') : 'disabled',
      };
    }
  }

  #keepMerchant(merchantId: number, row: CompetingProductRow | undefined): void {
    if (row === undefined) throw missingMerchant(merchantId);
    const { time_zone, suspended_at } = row;
    const day = this.#days.get(time_zone) ?? {
      today: dayIn(time_zone)(this.#now),
      slot: slotIn(time_zone)(this.#now),
    };
    this.#days.set(time_zone, day);
    this.book.data.merchants[merchantId] = { ...day, isSuspended: suspended_at !== null };
  }

  #keepCampaign(campaignId: string, row: CampaignRow | undefined): void {
    const loss = row === undefined ? 'paused' : lossOfState(standingOfCampaign(row.status), 'paused');
    this.book.data.campaigns[campaignId] = {
      name: row?.name ?? '',
      bid: row?.bid_amount == null ? null : bidUnitsOf(row.bid_amount),
      loss,
      hourly_schedule: row?.hourly_schedule ?? null,
      daily_budget: row?.daily_budget ?? null,
      daily_budget_per_product: row?.daily_budget_per_product ?? null,
      lifetime_budget: row?.lifetime_budget ?? null,
      lifetime_budget_per_product: row?.lifetime_budget_per_product ?? null,
    };
  }

  #keepFigures(merchantId: number, rows: readonly FiguresRow[]): void {
    const { figures, merchants } = this.book.data;
    const today = merchants[merchantId]?.today;
    for (const row of rows)
      if (row.day === '' || row.day === today) figures[figuresKey(merchantId, row)] = row;
  }

  /** Locks what counts against `max_daily_schedules`, in whichever campaign each product is. */
  async #lockProducts(candidates: readonly Candidate[]): Promise<void> {
    const limited = candidates.filter(
      (candidate) => this.book.get(candidate).product.maxDailySchedules !== null,
    );
    for (const candidate of limited) this.#lockedProducts.add(productKey(candidate));
    const days = limited
      .map((candidate) => {
        const { merchantId, productId } = candidate;
        return { merchantId, productId, day: this.book.get(candidate).merchant.today };
      })
      .sort((one, other) => one.merchantId - other.merchantId || one.productId - other.productId);
    if (days.length > 0) this.#fresh.clear();
    const { figures } = this.book.data;
    for (const { merchantId, productId, day, ...row } of await lockProductDays(this.#connection, days))
      figures[figuresKey(merchantId, { campaign_id: '', product_id: productId, day })] = row;
  }
}

function keyOf({ merchantId, campaignId }: Wanted): { merchantId: number; id: string } {
  return { merchantId, id: campaignId };
}

function productsOf({ merchantId, candidates }: Omit<Wanted, 'isWinning'>): {
  merchantId: number;
  productIds: number[];
} {
  return { merchantId, productIds: candidates.map(idOf) };
}

function idOf({ productId }: Candidate): number {
  return productId;
}

function lossOfState(standing: number | undefined, gone: LossReason): LossReason | null {
  return standing === undefined ? gone : lossOf(standing);
}

import type { CampaignRow } from '../../campaigns/campaign.ts';
import { findCampaignRow, lockCampaign } from '../../campaigns/queries.ts';
import { slotIn } from '../../campaigns/schedule-slots.ts';
import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { unitsOf } from '../../shared/amounts.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { lossOf, standingOfCampaign, standingOfProduct } from '../competition/standings.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import { type ProductTerms, termsOf } from '../follow/competing-rows.ts';
import { NOTHING } from '../record/figures.ts';
import { type FiguresRow, listFigures, lockProductDay } from '../record/queries.ts';
import { Book, figuresName, productName } from './book.ts';
import { type CompetingProductRow, findCompetingProducts } from './queries.ts';

/** Next to 0 for all products. */
const PRODUCTS_AT_ONCE = 19;
const NO_TERMS: ProductTerms = { schedulingFeeBid: null, maxDailySchedules: null };
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000;

/** What is read of a campaign in one step. */
interface Wanted {
  merchantId: number;
  campaignId: string;
  isWinning: boolean;
  candidates: Candidate[];
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
  /** By `productName`. */
  readonly #lockedProducts = new Set<string>();
  readonly #known = new Map<string, Set<Candidate>>();
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
  isRead(candidate: Candidate): boolean {
    const product = this.book.product(candidate);
    if (product === undefined || !this.#locked.has(candidate.campaignId)) return false;
    return product.maxDailySchedules === null || this.#lockedProducts.has(productName(candidate));
  }

  /** A candidate that is read again has to be judged again. */
  async read(winning: readonly Candidate[], others: readonly Candidate[]): Promise<void> {
    const wanted = this.#wanted(new Set(winning), others);
    // Sent together, in one order, so that transactions do not wait for each other in a circle. What is read
    // of a campaign follows its lock.
    const rows = await Promise.all(wanted.map((each) => this.#readCampaign(each)));
    for (const [index, { merchantId, candidates }] of wanted.entries())
      this.#keepFigures(merchantId, candidates, rows[index] ?? []);
    const inOrder = winning.toSorted(
      (one, other) => one.merchantId - other.merchantId || one.productId - other.productId,
    );
    await Promise.all(inOrder.map((candidate) => this.#lockProduct(candidate)));
  }

  #wanted(winning: ReadonlySet<Candidate>, others: readonly Candidate[]): Wanted[] {
    const wanted = new Map<string, Wanted>();
    for (const candidate of [...winning, ...others]) {
      const { merchantId, campaignId } = candidate;
      const known = this.#known.get(campaignId) ?? new Set();
      this.#known.set(campaignId, known.add(candidate));
      const each = wanted.get(campaignId) ?? { merchantId, campaignId, isWinning: false, candidates: [] };
      if (winning.has(candidate)) each.isWinning = true;
      wanted.set(campaignId, each);
      each.candidates.push(candidate);
    }
    for (const each of wanted.values()) {
      // Others may have changed what was read before the lock.
      if (each.isWinning && !this.#locked.has(each.campaignId))
        each.candidates = [...(this.#known.get(each.campaignId) ?? [])];
    }
    return [...wanted.values()].sort(
      (one, other) => one.merchantId - other.merchantId || (one.campaignId < other.campaignId ? -1 : 1),
    );
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

  /** Resolves to the figures of the campaign, and of each product. */
  async #readCampaign(wanted: Wanted): Promise<FiguresRow[]> {
    const { merchantId, campaignId, isWinning, candidates } = wanted;
    const connection = this.#connection;
    const key = { merchantId, id: campaignId };
    const isLocking = isWinning && !this.#locked.has(campaignId);
    const isKnown = campaignId in this.book.data.campaigns;
    if (isLocking) this.#locked.add(campaignId);
    const campaign =
      isLocking || !isKnown ? connection.first(isLocking ? lockCampaign : findCampaignRow, key) : undefined;
    const figures = [...partsOf(candidates, PRODUCTS_AT_ONCE)].map((part) =>
      this.#listFigures(merchantId, campaignId, [0, ...part.map(({ productId }) => productId)]),
    );
    const ids = candidates.map(({ productId }) => productId);
    const limited = candidates.filter(({ maxDailySchedules }) => maxDailySchedules !== null);
    for (const part of partsOf(limited, PRODUCTS_AT_ONCE))
      figures.push(
        this.#listFigures(
          merchantId,
          '',
          part.map(({ productId }) => productId),
        ),
      );
    const products = lookUp(connection, findCompetingProducts, merchantId, ids);
    // If one fails, so do the others, and nothing else would wait for them.
    const [row, rows, ...found] = await Promise.all([campaign, products, ...figures]);
    if (campaign !== undefined) this.#keepCampaign(campaignId, row);
    this.#keepMerchant(merchantId, rows[0]);
    this.#keepProducts(wanted, rows);
    return found.flat();
  }

  #keepProducts({ merchantId, campaignId, candidates }: Wanted, rows: readonly CompetingProductRow[]): void {
    const { campaigns, products } = this.book.data;
    const found = new Map(rows.map((row) => [row.internal_id, row]));
    for (const { productId } of candidates) {
      const row = found.get(productId);
      // It may have left the campaign, or been deleted.
      const isIn = row !== undefined && row.campaign_name === campaigns[campaignId]?.name;
      products[productName({ merchantId, productId })] = {
        identifier: row?.identifier ?? '',
        ...(row === undefined ? NO_TERMS : termsOf(row)),
        loss: isIn ? lossOfState(standingOfProduct(row.status), 'disabled') : 'disabled',
      };
    }
  }

  async #listFigures(
    merchantId: number,
    campaignId: string,
    products: readonly number[],
  ): Promise<FiguresRow[]> {
    const key = { merchantId, campaignId, products, days: this.#anyDays };
    return await this.#connection.all(listFigures, key);
  }

  #keepCampaign(campaignId: string, row: CampaignRow | undefined): void {
    const loss = row === undefined ? 'paused' : lossOfState(standingOfCampaign(row.status), 'paused');
    this.book.data.campaigns[campaignId] = {
      name: row?.name ?? '',
      bid: row?.bid_amount == null ? null : unitsOf(row.bid_amount),
      loss,
      hourly_schedule: row?.hourly_schedule ?? null,
      daily_budget: row?.daily_budget ?? null,
      daily_budget_per_product: row?.daily_budget_per_product ?? null,
      lifetime_budget: row?.lifetime_budget ?? null,
      lifetime_budget_per_product: row?.lifetime_budget_per_product ?? null,
    };
  }

  #keepFigures(merchantId: number, candidates: readonly Candidate[], rows: readonly FiguresRow[]): void {
    const { figures, merchants } = this.book.data;
    const today = merchants[merchantId]?.today ?? '';
    for (const { campaignId, productId } of candidates)
      figures[figuresName(merchantId, { campaign_id: campaignId, product_id: productId, day: today })] =
        NOTHING;
    for (const row of rows)
      if (row.day === '' || row.day === today) figures[figuresName(merchantId, row)] = row;
  }

  /** Locks what counts against `max_daily_schedules`, in whichever campaign the product is. */
  async #lockProduct(candidate: Candidate): Promise<void> {
    if (this.book.product(candidate)?.maxDailySchedules == null) return;
    const { merchantId, productId } = candidate;
    this.#lockedProducts.add(productName(candidate));
    const day = this.book.data.merchants[merchantId]?.today ?? '';
    const row = await this.#connection.first(lockProductDay, { merchantId, productId, day });
    const name = figuresName(merchantId, { campaign_id: '', product_id: productId, day });
    this.book.data.figures[name] = { ...NOTHING, ...row };
  }
}

function lossOfState(standing: number | undefined, gone: LossReason): LossReason | null {
  return standing === undefined ? gone : lossOf(standing);
}

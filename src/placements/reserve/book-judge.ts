import { isScheduled } from '../../campaigns/schedule-slots.ts';
import type { Judge } from '../decide/decide.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import {
  type FiguresKey,
  figuresOf,
  keysOf,
  NOTHING,
  type PlacementFigures,
  sum,
} from '../record/figures.ts';
import { exceededBy } from '../record/limits.ts';
import { type Book, figuresName } from './book.ts';

/** Figures that placements add to. */
export interface Taken extends FiguresKey, PlacementFigures {
  merchant_id: number;
}

/** In units (`amounts.ts`). */
export interface UsedToday {
  merchantId: number;
  campaignId: string;
  day: string;
  used: number;
}

/**
 * Judges candidates by a book, each on top of the places that were given before. It refuses nobody who is not
 * in the book, and notes them in `unknown`.
 */
export class BookJudge implements Judge {
  readonly #book: Book;
  readonly #taken = new Map<string, Taken>();
  readonly unknown = new Set<Candidate>();
  /** Whom it refused last, and why. */
  readonly refused = new Map<Candidate, LossReason>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** What is reserved and delivered of campaigns that got places, on the merchant's day. */
  usedToday(): UsedToday[] {
    const ofCampaigns = [...this.#taken.values()].filter(
      ({ campaign_id, product_id, day }) => campaign_id !== '' && product_id === 0 && day !== '',
    );
    return ofCampaigns.map(({ merchant_id: merchantId, campaign_id, product_id, day }) => {
      const { reserved_amount, spend } = this.#figures(merchantId, { campaign_id, product_id, day });
      return { merchantId, campaignId: campaign_id, day, used: reserved_amount + spend };
    });
  }

  /** What the places add up to, in the order in which every transaction writes it. */
  get taken(): readonly Taken[] {
    const inOrder = [...this.#taken].sort(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.map(([, row]) => row);
  }

  refusal(candidate: Candidate, price: number): LossReason | undefined {
    const reason = this.#reason(candidate, price);
    if (reason !== undefined) this.refused.set(candidate, reason);
    return reason;
  }

  #reason(candidate: Candidate, price: number): LossReason | undefined {
    if (!this.#book.has(candidate)) {
      this.unknown.add(candidate);
      return undefined;
    }
    const { merchantId, campaignId, productId, maxDailySchedules: max } = candidate;
    const merchant = this.#book.merchantOf(candidate);
    const campaign = this.#book.campaign(candidate);
    if (merchant === undefined || campaign === undefined) return undefined;
    if (merchant.isSuspended || !isScheduled(campaign.hourly_schedule, merchant.slot)) return 'paused';
    const loss = campaign.loss ?? this.#book.product(candidate)?.loss ?? undefined;
    if (loss !== undefined) return loss;
    const placement = { campaign_id: campaignId, product_id: productId, day: merchant.today };
    const figures = (key: FiguresKey): PlacementFigures => this.#figures(merchantId, key);
    if (max !== null) {
      const { reserved, delivered } = figures({ ...placement, campaign_id: '' });
      if (reserved + delivered >= max) return 'max_daily_schedules';
    }
    return exceededBy(price, campaign, placement, figures);
  }

  take(candidate: Candidate, price: number): void {
    const merchant = this.#book.merchantOf(candidate);
    if (merchant === undefined) return;
    const { merchantId: merchant_id, campaignId: campaign_id, productId: product_id } = candidate;
    const added = figuresOf({ state: 'reserved', price, revenue: null });
    for (const key of keysOf({ campaign_id, product_id, day: merchant.today })) {
      const name = figuresName(merchant_id, key);
      this.#taken.set(name, { merchant_id, ...key, ...sum(this.#taken.get(name) ?? NOTHING, added) });
    }
  }

  #figures(merchantId: number, key: FiguresKey): PlacementFigures {
    const stored = this.#book.figures(merchantId, key);
    const taken = this.#taken.get(figuresName(merchantId, key));
    return taken === undefined ? stored : sum(stored, taken);
  }
}

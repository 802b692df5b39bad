import { isScheduled } from '../../campaigns/schedule-slots.ts';
import type { Judge } from '../decide/decide.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import type { Paces } from '../pacing/paces.ts';
import {
  type FiguresKey,
  figuresOf,
  keysOf,
  NOTHING,
  type PlacementFigures,
  sum,
} from '../record/figures.ts';
import { exceededBy } from '../record/limits.ts';
import { type Book, figuresKey, productKey } from './book.ts';

/**
 * Returns a judge who also refuses campaigns that sit out a request (contract for campaigns, “Pacing”): for
 * all of it, or once they have spent more than their limits.
 */
export function withPacing(judge: BookJudge, { sittingOut, limits }: Paces): Judge {
  const all = new Set(sittingOut);
  return {
    refusal: (candidate, price) => {
      if (all.has(candidate.campaignId)) return 'paced';
      const refusal = judge.refusal(candidate, price);
      const limit = limits[candidate.campaignId] ?? Number.POSITIVE_INFINITY;
      return refusal ?? (judge.usedBy(candidate) > limit ? 'paced' : undefined);
    },
    take: (candidate, price) => judge.take(candidate, price),
  };
}

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
 * Judges candidates by a book, each on top of the places that were given before. Those that are not in the
 * book are noted in `unknown`, and refused only if these places are as many as their products may have today.
 */
export class BookJudge implements Judge {
  readonly #book: Book;
  readonly #taken = new Map<string, Taken>();
  /** The places that it has given, by `productKey`. */
  readonly #places = new Map<string, number>();
  readonly unknown = new Set<Candidate>();
  readonly refused = new Set<Candidate>();

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

  /** What a candidate's campaign has reserved and spent today, in units; 0 if it is not in the book. */
  usedBy(candidate: Candidate): number {
    const { merchantId, campaignId } = candidate;
    const day = this.#book.merchantOf(candidate)?.today;
    if (day === undefined) return 0;
    const { reserved_amount, spend } = this.#figures(merchantId, {
      campaign_id: campaignId,
      product_id: 0,
      day,
    });
    return reserved_amount + spend;
  }

  /** What the places add up to, in the order in which every transaction writes it. */
  get taken(): readonly Taken[] {
    const inOrder = [...this.#taken].sort(([one], [other]) => (one < other ? -1 : 1));
    return inOrder.map(([, row]) => row);
  }

  refusal(candidate: Candidate, price: number): LossReason | undefined {
    const reason = this.#reason(candidate, price);
    if (reason !== undefined) this.refused.add(candidate);
    return reason;
  }

  #reason(candidate: Candidate, price: number): LossReason | undefined {
    const found = this.#book.find(candidate);
    if (found === undefined) {
      this.unknown.add(candidate);
      const { maxDailySchedules: most } = candidate;
      const places = this.#places.get(productKey(candidate)) ?? 0;
      return most !== null && places >= most ? 'max_daily_schedules' : undefined;
    }
    const { merchant, campaign, product } = found;
    if (merchant.isSuspended || !isScheduled(campaign.hourly_schedule, merchant.slot)) return 'paused';
    const loss = campaign.loss ?? product.loss;
    if (loss !== null) return loss;
    const bid = campaign.bid ?? product.schedulingFeeBid;
    if (bid === null) return 'no_bid';
    // The bid was lowered after the candidate was listed, so it is not known how the candidate ranks.
    if (bid < candidate.bid) return 'outbid';
    const { merchantId, campaignId, productId } = candidate;
    const placement = { campaign_id: campaignId, product_id: productId, day: merchant.today };
    const figures = (key: FiguresKey): PlacementFigures => this.#figures(merchantId, key);
    if (product.maxDailySchedules !== null) {
      const { reserved, delivered } = figures({ ...placement, campaign_id: '' });
      if (reserved + delivered >= product.maxDailySchedules) return 'max_daily_schedules';
    }
    return exceededBy(price, campaign, placement, figures);
  }

  take(candidate: Candidate, price: number): void {
    const name = productKey(candidate);
    this.#places.set(name, (this.#places.get(name) ?? 0) + 1);
    const merchant = this.#book.merchantOf(candidate);
    if (merchant === undefined) return;
    const { merchantId: merchant_id, campaignId: campaign_id, productId: product_id } = candidate;
    const added = figuresOf({ state: 'reserved', price, revenue: null });
    for (const key of keysOf({ campaign_id, product_id, day: merchant.today })) {
      const name = figuresKey(merchant_id, key);
      this.#taken.set(name, { merchant_id, ...key, ...sum(this.#taken.get(name) ?? NOTHING, added) });
    }
  }

  #figures(merchantId: number, key: FiguresKey): PlacementFigures {
    const stored = this.#book.figures(merchantId, key);
    const taken = this.#taken.get(figuresKey(merchantId, key));
    return taken === undefined ? stored : sum(stored, taken);
  }
}

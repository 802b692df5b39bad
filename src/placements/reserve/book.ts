import type { CampaignRow } from '../../campaigns/campaign.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import type { ProductTerms } from '../follow/competing-rows.ts';
import { type FiguresKey, NOTHING, type PlacementFigures, textOf } from '../record/figures.ts';
import type { LimitName } from '../record/limits.ts';

interface BookedCampaign extends Pick<CampaignRow, 'name' | 'hourly_schedule' | LimitName> {
  /** In units (`amounts.ts`); null if its products have bids of their own. */
  bid: number | null;
  /** Why none of its products can win; null if they can. */
  loss: LossReason | null;
}

interface BookedProduct extends ProductTerms {
  identifier: string;
  loss: LossReason | null;
}

export interface BookedMerchant {
  /** In the merchant's time zone, as `slot`, which is the slot of `hourly_schedule`. */
  today: string;
  slot: number;
  isSuspended: boolean;
}

/** What the database has of candidates. Plain data, by IDs. */
export interface BookData {
  merchants: Record<number, BookedMerchant>;
  campaigns: Record<string, BookedCampaign>;
  products: Record<string, BookedProduct>;
  figures: Record<string, PlacementFigures>;
}

/** What is known of candidates, so that a `BookJudge` can judge them. */
export class Book {
  readonly data: BookData;

  constructor(data: BookData = { merchants: {}, campaigns: {}, products: {}, figures: {} }) {
    this.data = data;
  }

  /** Undefined if its campaign is not in the book. */
  merchantOf({ merchantId, campaignId }: Candidate): BookedMerchant | undefined {
    return campaignId in this.data.campaigns ? this.data.merchants[merchantId] : undefined;
  }

  has(candidate: Candidate): boolean {
    return this.merchantOf(candidate) !== undefined && this.#isRead(candidate);
  }

  campaign({ campaignId }: Candidate): BookedCampaign | undefined {
    return this.data.campaigns[campaignId];
  }

  product(candidate: Candidate): BookedProduct | undefined {
    return this.data.products[productName(candidate)];
  }

  figures(merchantId: number, key: FiguresKey): PlacementFigures {
    return this.data.figures[figuresName(merchantId, key)] ?? NOTHING;
  }

  /** Adds what another book has. */
  add({ merchants, campaigns, products, figures }: BookData): void {
    Object.assign(this.data.merchants, merchants);
    Object.assign(this.data.campaigns, campaigns);
    Object.assign(this.data.products, products);
    Object.assign(this.data.figures, figures);
  }

  #isRead({ merchantId, campaignId, productId }: Candidate): boolean {
    const today = this.data.merchants[merchantId]?.today ?? '';
    const key = { campaign_id: campaignId, product_id: productId, day: today };
    return figuresName(merchantId, key) in this.data.figures;
  }
}

export function productName({ merchantId, productId }: Pick<Candidate, 'merchantId' | 'productId'>): string {
  return `${merchantId} ${productId}`;
}

export function figuresName(merchantId: number, key: FiguresKey): string {
  return `${merchantId} ${textOf(key)}`;
}

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

interface BookedMerchant {
  /** In the merchant's time zone, as `slot`, which is the slot of `hourly_schedule`. */
  today: string;
  slot: number;
  isSuspended: boolean;
}

/** What the database has of a candidate. */
export interface BookedCandidate {
  merchant: BookedMerchant;
  campaign: BookedCampaign;
  product: BookedProduct;
}

/** What the database has of candidates. Plain data. */
export interface BookData {
  /** By ID, as `campaigns`. */
  merchants: Record<number, BookedMerchant>;
  campaigns: Record<string, BookedCampaign>;
  /** By `candidateKey`: a product may be read for a campaign that it has left. */
  products: Record<string, BookedProduct>;
  /** By `figuresKey`. */
  figures: Record<string, PlacementFigures>;
}

/** What is known of candidates, so that a `BookJudge` can judge them. */
export class Book {
  readonly data: BookData;

  constructor(data: BookData = { merchants: {}, campaigns: {}, products: {}, figures: {} }) {
    this.data = data;
  }

  /** Undefined if it has not been read, for its campaign. */
  find(candidate: Candidate): BookedCandidate | undefined {
    const merchant = this.merchantOf(candidate);
    const campaign = this.data.campaigns[candidate.campaignId];
    const product = this.data.products[candidateKey(candidate)];
    if (merchant === undefined || campaign === undefined || product === undefined) return undefined;
    return { merchant, campaign, product };
  }

  /** @throws {Error} if `find` does not find it */
  get(candidate: Candidate): BookedCandidate {
    const found = this.find(candidate);
    if (found === undefined) throw new Error(`the candidate ${candidateKey(candidate)} has not been read`);
    return found;
  }

  /** Undefined if its campaign is not in the book. */
  merchantOf({ merchantId, campaignId }: Candidate): BookedMerchant | undefined {
    return campaignId in this.data.campaigns ? this.data.merchants[merchantId] : undefined;
  }

  figures(merchantId: number, key: FiguresKey): PlacementFigures {
    return this.data.figures[figuresKey(merchantId, key)] ?? NOTHING;
  }

  /** Adds what another book has. */
  add({ merchants, campaigns, products, figures }: BookData): void {
    Object.assign(this.data.merchants, merchants);
    Object.assign(this.data.campaigns, campaigns);
    Object.assign(this.data.products, products);
    Object.assign(this.data.figures, figures);
  }
}

export function candidateKey({ merchantId, campaignId, productId }: Candidate): string {
  return `${merchantId} ${campaignId} ${productId}`;
}

export function productKey({ merchantId, productId }: Pick<Candidate, 'merchantId' | 'productId'>): string {
  return `${merchantId} ${productId}`;
}

export function figuresKey(merchantId: number, key: FiguresKey): string {
  return `${merchantId} ${textOf(key)}`;
}

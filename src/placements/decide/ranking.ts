import type { Losers } from './loss-reasons.ts';

/** Where something stands in a ranking. */
export interface Position {
  /** “score = bid × quality”, with the bid in minor units. Only scores of one currency can be compared. */
  score: number;
  /** Who comes first among equal scores: the merchant's turn decides, then the campaign's, the product's. */
  merchantTurn: number;
  campaignTurn: number;
  productTurn: number;
}

/** Whether a position comes before another. */
export function isAhead(one: Position, other: Position): boolean {
  if (one.score !== other.score) return one.score > other.score;
  if (one.merchantTurn !== other.merchantTurn) return one.merchantTurn < other.merchantTurn;
  if (one.campaignTurn !== other.campaignTurn) return one.campaignTurn < other.campaignTurn;
  return one.productTurn < other.productTurn;
}

/**
 * A product that competes in a request: plain data, so that a decision can be made again in another thread.
 * Amounts are in units (`amounts.ts`).
 */
export interface Candidate extends Position {
  merchantId: number;
  campaignId: string;
  /** The internal ID. */
  productId: number;
  /** “The campaign’s `bid_amount`; without one, the product’s `scheduling_fee_bid`”, in whole minor units. */
  bid: number;
  /** Whether all products of the campaign have this bid. */
  isCampaignBid: boolean;
  quality: number;
  /** The most placements of the product on one day; null for any number. */
  maxDailySchedules: number | null;
}

/** Which candidates a walk passes over. */
export interface NotOf {
  merchantId: number;
  campaignIds: ReadonlySet<string>;
}

export function isOf(
  { merchantId, campaignId }: Pick<Candidate, 'merchantId'> & { campaignId: string | null },
  notOf: NotOf | undefined,
): boolean {
  if (notOf === undefined) return false;
  return merchantId === notOf.merchantId || (campaignId !== null && notOf.campaignIds.has(campaignId));
}

/** The candidates of one request in the order of their score, read as far as the decision needs them. */
export interface Ranking {
  /** The candidates that lost before the decision, because of their own or their campaign's state. */
  readonly losers: Losers;
  /** The candidates that `next` can still return. */
  readonly remaining: number;
  /** Returns the best candidate that was not returned, or was put back; with `notOf`, the best of others. */
  next(notOf?: NotOf): Candidate | undefined;
  /** Gives candidates of `next` back to the ranking. */
  putBack(candidates: readonly Candidate[]): void;
  /** Drops the remaining candidates of a merchant. Returns how many there were. */
  dropMerchant(merchantId: number): number;
  /** Drops the remaining candidates of a campaign. Returns how many there were. */
  dropCampaign(merchantId: number, campaignId: string): number;
}

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

/** Which candidates are passed over. */
export interface NotOf {
  /** Undefined for none. */
  merchantId: number | undefined;
  campaignIds: ReadonlySet<string>;
}

export function isOf(
  { merchantId, campaignId }: Pick<Candidate, 'merchantId'> & { campaignId: string | null },
  notOf: NotOf,
): boolean {
  return merchantId === notOf.merchantId || (campaignId !== null && notOf.campaignIds.has(campaignId));
}

/** What is said of a candidate that was looked at: whether it is wanted, passed over, or has lost. */
export type Look = 'wanted' | 'passed' | 'lost';

/** The candidates of one request in the order of their score, read as far as the decision needs them. */
export interface Ranking {
  /** The candidates that lost before the decision, because of their own or their campaign's state. */
  readonly losers: Losers;
  /** The candidates that `next` can still return. */
  readonly remaining: number;
  /** Removes the best candidate and returns it. */
  next(): Candidate | undefined;
  /**
   * Returns the best candidate that is wanted, which stays in the ranking. Asks about one candidate after the
   * other, which is not in the ranking meanwhile, and does not return if it has lost. `look` may drop its
   * campaign, and add to the campaigns that are passed over.
   */
  find(notOf: NotOf, look: (candidate: Candidate) => Look): Candidate | undefined;
  /** Drops the remaining candidates of a merchant. Returns how many there were. */
  dropMerchant(merchantId: number): number;
  /** Drops the remaining candidates of a campaign. Returns how many there were. */
  dropCampaign(merchantId: number, campaignId: string): number;
}

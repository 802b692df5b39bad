import { hashOf, mix } from '../competition/turns.ts';

/** How far a campaign is. Amounts are in units (`amounts.ts`). */
export interface Pace {
  campaignId: string;
  dailyBudget: number;
  /** The part of today's requests that was expected by now, from 0 to 1. */
  share: number;
  /** What the campaign would pay at most for this place. */
  bid: number;
}

/** The part of a budget by which a campaign may be ahead. */
const SLACK = 0.01;
/** Keeps these draws apart from the turns of equal scores, which are drawn from the same key. */
const SALT = 0x68e31da4;

/**
 * Returns how much a campaign may have reserved and spent today to take part in a request. If it is more, it
 * “has spent more than its share by now”, and sits out the request. The further ahead it is, the more
 * requests it sits out: none until it has spent its share, all once it is ahead by a hundredth of its budget
 * or by one bid, whichever is more. So a campaign can always begin. The request's key decides which requests
 * these are: the same request is decided in the same way.
 */
export function paceLimit({ campaignId, dailyBudget, share, bid }: Pace, requestKey: string): number {
  const lot = mix(hashOf(requestKey) ^ mix(hashOf(campaignId) ^ SALT)) / 2 ** 32;
  return share * dailyBudget + lot * Math.max(bid, SLACK * dailyBudget);
}

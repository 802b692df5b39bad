import { amountOf } from '../../shared/amounts.ts';
import { SCORE_UNITS } from './outcomes-of.ts';
import type { DemandRow } from './queries.ts';
import { roundBidUp } from './rounding.ts';
import { countOthers, unionOf } from './winners.ts';

/** With fewer requests, or fewer other merchants that had to be beaten, bids would tell what one bids. */
export const MIN_REQUESTS = 50;
const MIN_OTHERS = 3;
const PERCENTS = [25, 50, 75, 90] as const;

/** A bid, in the currency's major unit, that would have won a part of the requests. */
export interface NeededBid {
  percent: number;
  bid: number;
}

interface Bidder {
  merchantId: number;
  /** The units of its currency's minor unit. */
  minorUnit: number;
  quality: number;
}

/** Which bids of a merchant would have won requests. */
export class NeededBids {
  readonly #bidder: Bidder;
  /** By bid in minor units. */
  readonly #requests = new Map<number, number>();
  #winners = 0;

  constructor(bidder: Bidder) {
    this.#bidder = bidder;
  }

  /** Adds requests in which a candidate had to beat a score, and to bid the floor, which is in units. */
  addScore({
    score,
    floor,
    requests,
    winners,
  }: Pick<DemandRow, 'score' | 'floor' | 'requests' | 'winners'>): void {
    const { minorUnit, quality } = this.#bidder;
    const bid = Math.floor(score / SCORE_UNITS / quality) + 1;
    this.#add(Math.max(bid, Math.ceil(floor / minorUnit)), requests);
    if (requests > 0) this.#winners = unionOf(this.#winners, winners);
  }

  /** Adds requests that were won at a price, in units. */
  addPrice(price: number, requests: number): void {
    this.#add(Math.ceil(price / this.#bidder.minorUnit), requests);
  }

  /**
   * Returns the least bids that would have won parts of the requests, rounded up; null for too few requests
   * or other merchants.
   */
  result(): NeededBid[] | null {
    const { merchantId, minorUnit } = this.#bidder;
    const byBid = [...this.#requests].sort(([one], [other]) => one - other);
    const total = byBid.reduce((sum, [, requests]) => sum + requests, 0);
    if (total < MIN_REQUESTS || countOthers(this.#winners, merchantId) < MIN_OTHERS) return null;
    return PERCENTS.map((percent) => {
      let won = 0;
      const found = byBid.find(([, requests]) => {
        won += requests;
        return won * 100 >= percent * total;
      });
      return { percent, bid: amountOf(roundBidUp(found?.[0] ?? 0) * minorUnit) };
    });
  }

  #add(bid: number, requests: number): void {
    if (requests > 0) this.#requests.set(bid, (this.#requests.get(bid) ?? 0) + requests);
  }
}

import { amountOf } from '../../shared/amounts.ts';
import { SCORE_UNITS } from './outcomes-of.ts';
import { roundUp } from './rounding.ts';

/** Below this number of requests, bids would say too much about single bids of others. */
const MIN_REQUESTS = 50;
const PERCENTS = [25, 50, 75, 90] as const;

/** A bid, in the currency's major unit, that would have won a part of the requests. */
export interface NeededBid {
  percent: number;
  bid: number;
}

/** Which bids would have won requests. */
export class NeededBids {
  /** The merchant's units in its currency's minor unit. */
  readonly #minorUnit: number;
  readonly #quality: number;
  /** By bid in minor units. */
  readonly #requests = new Map<number, number>();

  constructor(minorUnit: number, quality: number) {
    this.#minorUnit = minorUnit;
    this.#quality = quality;
  }

  /** Adds requests in which a candidate had to beat a score, and to bid the floor, which is in units. */
  addScore(score: number, floor: number, requests: number): void {
    const bid = Math.floor(score / SCORE_UNITS / this.#quality) + 1;
    this.#add(Math.max(bid, Math.ceil(floor / this.#minorUnit)), requests);
  }

  /** Adds requests that were won at a price, in units. */
  addPrice(price: number, requests: number): void {
    this.#add(Math.ceil(price / this.#minorUnit), requests);
  }

  /**
   * Returns the least bids that would have won parts of the requests, rounded up; null for too few requests.
   */
  result(): NeededBid[] | null {
    const byBid = [...this.#requests].sort(([one], [other]) => one - other);
    const total = byBid.reduce((sum, [, requests]) => sum + requests, 0);
    if (total < MIN_REQUESTS) return null;
    return PERCENTS.map((percent) => {
      let won = 0;
      const found = byBid.find(([, requests]) => {
        won += requests;
        return won * 100 >= percent * total;
      });
      return { percent, bid: amountOf(roundUp(found?.[0] ?? 0) * this.#minorUnit) };
    });
  }

  #add(bid: number, requests: number): void {
    if (requests > 0) this.#requests.set(bid, (this.#requests.get(bid) ?? 0) + requests);
  }
}

import { amountOf } from '../../shared/amounts.ts';
import { SCORE_UNITS } from './outcomes-of.ts';
import type { DemandRow } from './queries.ts';
import { roundBidUp } from './rounding.ts';
import { countOthers, unionOf } from './winners.ts';

export const MIN_REQUESTS = 50;
/** With fewer other merchants that had to be beaten, a bid would tell what one of them bids. */
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

/** Requests that the same bid would have won, in minor units, and the merchants that had to be beaten. */
interface Needed {
  bid: number;
  requests: number;
  winners: number;
}

/** Which bids of a merchant would have won requests. */
export class NeededBids {
  readonly #bidder: Bidder;
  readonly #needed: Needed[] = [];

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
    this.#add({ bid: Math.max(bid, Math.ceil(floor / minorUnit)), requests, winners });
  }

  /** Adds requests that were won at a price, in units. */
  addPrice(price: number, requests: number): void {
    this.#add({ bid: Math.ceil(price / this.#bidder.minorUnit), requests, winners: 0 });
  }

  /**
   * Returns the least bids that would have won parts of the requests, rounded up; null for too few requests
   * or other merchants. Bids that tell too much of one merchant are rounded up to the next that does not.
   */
  result(): NeededBid[] | null {
    const { merchantId, minorUnit } = this.#bidder;
    const total = this.#needed.reduce((sum, { requests }) => sum + requests, 0);
    const winners = this.#needed.reduce((union, each) => unionOf(union, each.winners), 0);
    if (total < MIN_REQUESTS || countOthers(winners, merchantId) < MIN_OTHERS) return null;
    const steps = stepsOf(this.#needed, merchantId);
    if (steps.length === 0) return null;
    return PERCENTS.map((percent) => {
      let won = 0;
      const found = steps.find(({ requests }) => {
        won += requests;
        return won * 100 >= percent * total;
      });
      return { percent, bid: amountOf(roundBidUp(found?.bid ?? 0) * minorUnit) };
    });
  }

  #add(needed: Needed): void {
    if (needed.requests > 0) this.#needed.push(needed);
  }
}

/**
 * Joins requests, from the lowest bid on, into steps that tell too little of any merchant. The last step is
 * joined to those before it until it does so too. Returns nothing if all requests together tell too much.
 */
function stepsOf(needed: readonly Needed[], merchantId: number): Step[] {
  const steps: Step[] = [];
  let step = new Step();
  for (const each of needed.toSorted((one, other) => one.bid - other.bid)) {
    step.add(each);
    if (step.tellsTooMuch(merchantId)) continue;
    steps.push(step);
    step = new Step();
  }
  if (step.requests === 0) return steps;
  while (step.tellsTooMuch(merchantId)) {
    const before = steps.pop();
    if (before === undefined) return [];
    step = before.with(step);
  }
  return [...steps, step];
}

/** Requests that bids up to the highest of them would have won. */
class Step {
  readonly #needed: Needed[] = [];
  /** By the merchants that had to be beaten. */
  readonly #requestsOf = new Map<number, number>();
  requests = 0;
  bid = 0;
  #winners = 0;

  add(needed: Needed): void {
    const { bid, requests, winners } = needed;
    this.#needed.push(needed);
    this.bid = Math.max(this.bid, bid);
    this.requests += requests;
    this.#winners = unionOf(this.#winners, winners);
    this.#requestsOf.set(winners, (this.#requestsOf.get(winners) ?? 0) + requests);
  }

  with(other: Step): Step {
    const both = new Step();
    for (const needed of [...this.#needed, ...other.#needed]) both.add(needed);
    return both;
  }

  /** Whether there are few other merchants, or more than half of the requests are of one of them. */
  tellsTooMuch(merchantId: number): boolean {
    // Nobody had to be beaten. A bit of its own may be another merchant's, too.
    if (this.#winners === 0) return false;
    if (countOthers(this.#winners, merchantId) < MIN_OTHERS) return true;
    return this.#requestsOf
      .entries()
      .some(([winners, requests]) => countOthers(winners, merchantId) === 1 && requests * 2 > this.requests);
  }
}

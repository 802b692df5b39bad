import type { Losers } from './loss-reasons.ts';
import { type Candidate, isAhead, isOf, type NotOf, type Position, type Ranking } from './ranking.ts';
import type { Others, Shortlist } from './shortlist.ts';

/** Candidates that are given, in any order, with those beyond a shortlist, which are only counted. */
export class RankedList implements Ranking {
  readonly losers: Losers;
  /** Undefined where a candidate was returned or dropped. */
  readonly #candidates: (Candidate | undefined)[];
  readonly #places: ReadonlyMap<Candidate, number>;
  #others: readonly Others[];
  readonly #rest: Pick<Shortlist, 'rest' | 'end'>;
  #start = 0;
  #remaining: number;
  #endsEarly = false;

  constructor({ candidates, losers, others, rest, end }: Shortlist) {
    const inOrder = candidates.toSorted((one, other) => (isAhead(one, other) ? -1 : 1));
    this.#candidates = inOrder;
    this.#places = new Map(inOrder.map((candidate, place) => [candidate, place]));
    this.#others = others;
    this.#rest = { rest, end };
    this.#remaining = others.reduce((sum, { count }) => sum + count, candidates.length + rest);
    this.losers = losers;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Whether `next` had to pass over candidates that are not in the list, and may be better. */
  get endsEarly(): boolean {
    return this.#endsEarly;
  }

  next(notOf?: NotOf): Candidate | undefined {
    while (this.#start < this.#candidates.length && this.#candidates[this.#start] === undefined)
      this.#start++;
    for (let place = this.#start; place < this.#candidates.length; place++) {
      const candidate = this.#candidates[place];
      if (candidate === undefined || isOf(candidate, notOf)) continue;
      this.#noteOthers(candidate, notOf);
      this.#candidates[place] = undefined;
      this.#remaining--;
      return candidate;
    }
    this.#noteOthers(undefined, notOf);
    return undefined;
  }

  putBack(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const place = this.#places.get(candidate);
      if (place === undefined) throw new Error(`product ${candidate.productId} is not from this ranking`);
      this.#candidates[place] = candidate;
      this.#start = Math.min(this.#start, place);
      this.#remaining++;
    }
  }

  dropMerchant(merchantId: number): number {
    return this.#drop((each) => each.merchantId === merchantId);
  }

  dropCampaign(merchantId: number, campaignId: string): number {
    return this.#drop((each) => each.merchantId === merchantId && each.campaignId === campaignId);
  }

  /** Notes whether one that is not in the list may be ahead of a candidate, or follow the last one. */
  #noteOthers(candidate: Candidate | undefined, notOf: NotOf | undefined): void {
    const mayBeAhead = (after: Position | null): boolean =>
      candidate === undefined || after === null || isAhead(after, candidate);
    const { rest, end } = this.#rest;
    if (rest > 0 && mayBeAhead(end)) this.#endsEarly = true;
    else if (this.#others.some((others) => !isOf(others, notOf) && mayBeAhead(others.after)))
      this.#endsEarly = true;
  }

  #drop(isDropped: (each: Candidate | Others) => boolean): number {
    const before = this.#remaining;
    for (const [place, candidate] of this.#candidates.entries()) {
      if (candidate === undefined || !isDropped(candidate)) continue;
      this.#candidates[place] = undefined;
      this.#remaining--;
    }
    for (const others of this.#others) if (isDropped(others)) this.#remaining -= others.count;
    this.#others = this.#others.filter((others) => !isDropped(others));
    return before - this.#remaining;
  }
}

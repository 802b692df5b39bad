import type { Losers } from './loss-reasons.ts';
import { type Candidate, isAhead, type NotOf, type Ranking } from './ranking.ts';

/** Candidates that are given, in any order. */
export class RankedList implements Ranking {
  readonly losers: Losers;
  /** Undefined where a candidate was returned or dropped. */
  readonly #candidates: (Candidate | undefined)[];
  readonly #places: ReadonlyMap<Candidate, number>;
  #start = 0;
  #remaining: number;

  constructor(candidates: readonly Candidate[], losers: Losers = {}) {
    const inOrder = candidates.toSorted((one, other) => (isAhead(one, other) ? -1 : 1));
    this.#candidates = inOrder;
    this.#places = new Map(inOrder.map((candidate, place) => [candidate, place]));
    this.#remaining = candidates.length;
    this.losers = losers;
  }

  get remaining(): number {
    return this.#remaining;
  }

  next(notOf?: NotOf): Candidate | undefined {
    while (this.#start < this.#candidates.length && this.#candidates[this.#start] === undefined)
      this.#start++;
    for (let place = this.#start; place < this.#candidates.length; place++) {
      const candidate = this.#candidates[place];
      if (candidate === undefined) continue;
      if (candidate.merchantId === notOf?.merchantId || notOf?.campaignIds.has(candidate.campaignId))
        continue;
      this.#candidates[place] = undefined;
      this.#remaining--;
      return candidate;
    }
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
    return this.#drop((candidate) => candidate.merchantId === merchantId);
  }

  dropCampaign(merchantId: number, campaignId: string): number {
    return this.#drop(
      (candidate) => candidate.merchantId === merchantId && candidate.campaignId === campaignId,
    );
  }

  #drop(isDropped: (candidate: Candidate) => boolean): number {
    const before = this.#remaining;
    for (const [place, candidate] of this.#candidates.entries()) {
      if (candidate === undefined || !isDropped(candidate)) continue;
      this.#candidates[place] = undefined;
      this.#remaining--;
    }
    return before - this.#remaining;
  }
}

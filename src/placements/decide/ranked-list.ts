import type { Losers } from './loss-reasons.ts';
import {
  type Candidate,
  isAhead,
  isOf,
  type Look,
  type NotOf,
  type Position,
  type Ranking,
} from './ranking.ts';
import type { Others, Shortlist } from './shortlist.ts';

const NOBODY: NotOf = { merchantId: undefined, campaignIds: new Set() };

/** Candidates that are given, in any order, with those beyond a shortlist, which are only counted. */
export class RankedList implements Ranking {
  readonly losers: Losers;
  /** Undefined where a candidate was removed. */
  readonly #candidates: (Candidate | undefined)[];
  /** In the order of their places. Undefined where they were dropped. */
  readonly #others: (Others | undefined)[];
  readonly #end: Position | null;
  readonly #rest: number;
  #start = 0;
  #othersStart = 0;
  #remaining: number;
  #endsEarly = false;
  #numbers: Numbers | undefined;

  constructor({ candidates, losers, others, rest, end }: Shortlist) {
    this.#candidates = candidates.toSorted((one, other) => (isAhead(one, other) ? -1 : 1));
    this.#others = others.toSorted((one, other) => compare(one.after, other.after));
    this.#rest = rest;
    this.#end = end;
    this.#remaining = others.reduce((sum, { count }) => sum + count, candidates.length + rest);
    this.losers = losers;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Whether candidates that are not in the list, and may be better, had to be passed over. */
  get endsEarly(): boolean {
    return this.#endsEarly;
  }

  next(): Candidate | undefined {
    this.#start = firstFrom(this.#candidates, this.#start);
    const candidate = this.#candidates[this.#start];
    this.#noteOthers(candidate, NOBODY);
    if (candidate !== undefined) this.#remove(this.#start);
    return candidate;
  }

  find(notOf: NotOf, look: (candidate: Candidate) => Look): Candidate | undefined {
    this.#start = firstFrom(this.#candidates, this.#start);
    let wanted: Candidate | undefined;
    for (let place = this.#start; wanted === undefined && place < this.#candidates.length; place++) {
      const candidate = this.#candidates[place];
      if (candidate === undefined || isOf(candidate, notOf)) continue;
      this.#remove(place);
      const found = look(candidate);
      if (found === 'lost') continue;
      this.#candidates[place] = candidate;
      this.#remaining++;
      if (found === 'wanted') wanted = candidate;
    }
    this.#noteOthers(wanted, notOf);
    return wanted;
  }

  dropMerchant(merchantId: number): number {
    return this.#drop((numbers) => numbers.ofMerchants.get(merchantId));
  }

  dropCampaign(_merchantId: number, campaignId: string): number {
    return this.#drop((numbers) => numbers.ofCampaigns.get(campaignId));
  }

  #remove(place: number): void {
    this.#candidates[place] = undefined;
    this.#remaining--;
  }

  /** Notes whether one that is not in the list may be ahead of a candidate, or follow the last one. */
  #noteOthers(candidate: Candidate | undefined, notOf: NotOf): void {
    if (this.#endsEarly) return;
    const mayBeAhead = (after: Position | null): boolean =>
      candidate === undefined || after === null || isAhead(after, candidate);
    if (this.#rest > 0 && mayBeAhead(this.#end)) this.#endsEarly = true;
    this.#othersStart = firstFrom(this.#others, this.#othersStart);
    for (let index = this.#othersStart; index < this.#others.length && !this.#endsEarly; index++) {
      const others = this.#others[index];
      if (others === undefined) continue;
      if (!mayBeAhead(others.after)) return;
      if (!isOf(others, notOf)) this.#endsEarly = true;
    }
  }

  #drop(which: (numbers: Numbers) => ListNumbers | undefined): number {
    this.#numbers ??= numbersOf(this.#candidates, this.#others);
    const { places = [], others = [] } = which(this.#numbers) ?? {};
    const before = this.#remaining;
    for (const place of places) if (this.#candidates[place] !== undefined) this.#remove(place);
    for (const index of others) {
      this.#remaining -= this.#others[index]?.count ?? 0;
      this.#others[index] = undefined;
    }
    return before - this.#remaining;
  }
}

/** Where a merchant or a campaign is in the lists. */
interface ListNumbers {
  places: number[];
  others: number[];
}

interface Numbers {
  ofMerchants: Map<number, ListNumbers>;
  ofCampaigns: Map<string | null, ListNumbers>;
}

function numbersOf(
  candidates: readonly (Candidate | undefined)[],
  others: readonly (Others | undefined)[],
): Numbers {
  const numbers: Numbers = { ofMerchants: new Map(), ofCampaigns: new Map() };
  const add = (kind: keyof ListNumbers, each: Candidate | Others | undefined, index: number): void => {
    if (each === undefined) return;
    addTo(numbers.ofMerchants, each.merchantId)[kind].push(index);
    addTo(numbers.ofCampaigns, each.campaignId)[kind].push(index);
  };
  for (const [place, candidate] of candidates.entries()) add('places', candidate, place);
  for (const [index, some] of others.entries()) add('others', some, index);
  return numbers;
}

function addTo<Key>(map: Map<Key, ListNumbers>, key: Key): ListNumbers {
  const found = map.get(key) ?? { places: [], others: [] };
  map.set(key, found);
  return found;
}

/** Returns the index of the first item from a place on that is there. */
function firstFrom(items: readonly unknown[], start: number): number {
  let at = start;
  while (at < items.length && items[at] === undefined) at++;
  return at;
}

function compare(one: Position | null, other: Position | null): number {
  if (one === null || other === null) return (one === null ? 0 : 1) - (other === null ? 0 : 1);
  return isAhead(one, other) ? -1 : isAhead(other, one) ? 1 : 0;
}

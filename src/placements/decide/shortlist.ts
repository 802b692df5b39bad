import type { Losers } from './loss-reasons.ts';
import { type Candidate, isAhead, type Look, type NotOf, type Position, type Ranking } from './ranking.ts';

/** Candidates beyond a shortlist: of a campaign, or of a merchant's campaigns that are not in it. */
export interface Others {
  merchantId: number;
  campaignId: string | null;
  count: number;
  /** They come after this place in the ranking; null if they may be anywhere. */
  after: Position | null;
}

/** The best candidates of a ranking, as plain data, and how many there are beyond them. */
export interface Shortlist {
  candidates: Candidate[];
  /** Of the ranking. */
  losers: Losers;
  others: Others[];
  /** The candidates of merchants that are not in the list. They come after `end`. */
  rest: number;
  /** Up to this place in the ranking, the list has all candidates except `others`. */
  end: Position | null;
}

/** How far `find` has looked, past a merchant. */
interface Lookout {
  last: Candidate;
  merchantId: number | undefined;
}

/** A ranking that remembers what it returned and dropped, for a shortlist to decide from again. */
export class RecordedRanking implements Ranking {
  readonly #ranking: Ranking;
  /** By campaign. */
  readonly #seen = new Map<string, Set<Candidate>>();
  readonly #campaignsOf = new Map<number, Set<string>>();
  /** Removed or dropped. */
  readonly #out = new Set<Candidate>();
  readonly #others: Others[] = [];
  /** The last candidate of `next`. */
  #reached: Candidate | null = null;
  readonly #lookouts: Lookout[] = [];
  /** From which lookout on a campaign was passed over. */
  readonly #passedFrom = new Map<string, number>();

  constructor(ranking: Ranking) {
    this.#ranking = ranking;
  }

  get losers(): Losers {
    return this.#ranking.losers;
  }

  get remaining(): number {
    return this.#ranking.remaining;
  }

  next(): Candidate | undefined {
    const candidate = this.#ranking.next();
    if (candidate === undefined) return undefined;
    this.#see(candidate);
    this.#out.add(candidate);
    this.#reached = candidate;
    return candidate;
  }

  find(notOf: NotOf, look: (candidate: Candidate) => Look): Candidate | undefined {
    let last: Candidate | undefined;
    const wanted = this.#ranking.find(notOf, (candidate) => {
      last = candidate;
      this.#see(candidate);
      this.#out.add(candidate);
      const found = look(candidate);
      if (found !== 'lost') this.#out.delete(candidate);
      const { campaignId } = candidate;
      if (notOf.campaignIds.has(campaignId) && !this.#passedFrom.has(campaignId))
        this.#passedFrom.set(campaignId, this.#lookouts.length);
      return found;
    });
    if (last !== undefined) this.#lookouts.push({ last, merchantId: notOf.merchantId });
    return wanted;
  }

  dropMerchant(merchantId: number): number {
    let dropped = 0;
    for (const campaignId of this.#campaignsOf.get(merchantId) ?? [])
      dropped += this.dropCampaign(merchantId, campaignId);
    const count = this.#ranking.dropMerchant(merchantId);
    this.#addOthers({ merchantId, campaignId: null, count });
    return dropped + count;
  }

  dropCampaign(merchantId: number, campaignId: string): number {
    const dropped = this.#ranking.dropCampaign(merchantId, campaignId);
    const listed = [...(this.#seen.get(campaignId) ?? [])].filter((candidate) => !this.#out.has(candidate));
    for (const candidate of listed) this.#out.add(candidate);
    this.#addOthers({ merchantId, campaignId, count: dropped - listed.length });
    return dropped;
  }

  /** Ends the ranking: returns what was seen of it, and up to `more` candidates that follow. */
  shortlist(more: number): Shortlist {
    for (let left = more; left > 0 && this.next() !== undefined; left--);
    for (const merchantId of this.#campaignsOf.keys()) this.dropMerchant(merchantId);
    return {
      candidates: [...this.#seen.values()].flatMap((ofCampaign) => [...ofCampaign]),
      losers: this.losers,
      others: this.#others,
      rest: this.#ranking.remaining,
      end: furthest([this.#reached, ...this.#lookouts.map(({ last }) => last)]),
    };
  }

  #see(candidate: Candidate): void {
    const { merchantId, campaignId } = candidate;
    this.#seen.set(campaignId, (this.#seen.get(campaignId) ?? new Set()).add(candidate));
    this.#campaignsOf.set(merchantId, (this.#campaignsOf.get(merchantId) ?? new Set()).add(campaignId));
  }

  #addOthers(others: Omit<Others, 'after'>): void {
    if (others.count === 0) return;
    const { merchantId, campaignId } = others;
    const seen = campaignId === null ? [] : [...(this.#seen.get(campaignId) ?? [])];
    const passedFrom = campaignId === null ? undefined : this.#passedFrom.get(campaignId);
    const past = this.#lookouts.slice(0, passedFrom).filter((lookout) => lookout.merchantId !== merchantId);
    const after = furthest([this.#reached, ...seen, ...past.map(({ last }) => last)]);
    this.#others.push({ ...others, after });
  }
}

function furthest(candidates: readonly (Candidate | null)[]): Candidate | null {
  return candidates.reduce(
    (last, each) => (last === null || (each !== null && isAhead(last, each)) ? each : last),
    null,
  );
}

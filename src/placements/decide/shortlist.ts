import type { Losers } from './loss-reasons.ts';
import { type Candidate, isAhead, isOf, type NotOf, type Position, type Ranking } from './ranking.ts';

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

/** A ranking that remembers what it returned and dropped, for a shortlist to decide from again. */
export class RecordedRanking implements Ranking {
  readonly #ranking: Ranking;
  readonly #seen = new Set<Candidate>();
  /** Returned, and not put back. */
  readonly #out = new Set<Candidate>();
  readonly #others: Others[] = [];
  /** What was returned, and what was passed over for it. */
  readonly #returned: { candidate: Candidate; notOf: NotOf | undefined }[] = [];

  constructor(ranking: Ranking) {
    this.#ranking = ranking;
  }

  get losers(): Losers {
    return this.#ranking.losers;
  }

  get remaining(): number {
    return this.#ranking.remaining;
  }

  next(notOf?: NotOf): Candidate | undefined {
    const candidate = this.#ranking.next(notOf);
    if (candidate === undefined) return undefined;
    this.#seen.add(candidate);
    this.#out.add(candidate);
    // More campaigns may be passed over later.
    const passed = notOf && { ...notOf, campaignIds: new Set(notOf.campaignIds) };
    this.#returned.push({ candidate, notOf: passed });
    return candidate;
  }

  putBack(candidates: readonly Candidate[]): void {
    this.#ranking.putBack(candidates);
    for (const candidate of candidates) this.#out.delete(candidate);
  }

  dropMerchant(merchantId: number): number {
    const campaigns = new Set<string>();
    for (const candidate of this.#seen)
      if (candidate.merchantId === merchantId) campaigns.add(candidate.campaignId);
    let dropped = 0;
    for (const campaignId of campaigns) dropped += this.dropCampaign(merchantId, campaignId);
    const count = this.#ranking.dropMerchant(merchantId);
    this.#addOthers({ merchantId, campaignId: null, count });
    return dropped + count;
  }

  dropCampaign(merchantId: number, campaignId: string): number {
    const dropped = this.#ranking.dropCampaign(merchantId, campaignId);
    let listed = 0;
    for (const candidate of this.#seen) {
      if (candidate.campaignId !== campaignId || candidate.merchantId !== merchantId) continue;
      if (this.#out.has(candidate)) continue;
      this.#out.add(candidate);
      listed++;
    }
    this.#addOthers({ merchantId, campaignId, count: dropped - listed });
    return dropped;
  }

  /** Ends the ranking: returns what was seen of it, and up to `more` candidates that follow. */
  shortlist(more: number): Shortlist {
    for (let left = more; left > 0 && this.next() !== undefined; left--);
    const merchants = new Set([...this.#seen].map(({ merchantId }) => merchantId));
    for (const merchantId of merchants) this.dropMerchant(merchantId);
    return {
      candidates: [...this.#seen],
      losers: this.losers,
      others: this.#others,
      rest: this.#ranking.remaining,
      end: furthest(this.#returned.map(({ candidate }) => candidate)),
    };
  }

  #addOthers(others: Omit<Others, 'after'>): void {
    if (others.count === 0) return;
    const past = this.#returned.filter(({ notOf }) => !isOf(others, notOf));
    this.#others.push({ ...others, after: furthest(past.map(({ candidate }) => candidate)) });
  }
}

function furthest(candidates: readonly Candidate[]): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (last, each) => (last === null || isAhead(last, each) ? each : last),
    null,
  );
}

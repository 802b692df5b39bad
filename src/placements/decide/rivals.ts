import { type LossReason, losesWithCampaign } from './loss-reasons.ts';
import type { Candidate, Look, NotOf, Ranking } from './ranking.ts';

/** Of one merchant's candidates in one request. Each that is asked about has to be read from the database. */
export const MAX_REFUSALS = 50;

interface Rival {
  /** Undefined if there is nobody. */
  candidate: Candidate | undefined;
}

interface Asked {
  /** Whether a candidate loses even at the least price. If so, it is dropped from the ranking. */
  hasLost: (candidate: Candidate) => boolean;
  /** As `Judge` says it. */
  refusal: (candidate: Candidate, price: number) => LossReason | undefined;
}

/**
 * Finds who could have taken a place: the next candidate that could pay its own bid. Otherwise a campaign
 * without money could raise what others pay. Remembers the best one, and the best one of another merchant,
 * because the same two set the prices of all candidates that are ahead of them.
 */
export class Rivals {
  readonly #ranking: Ranking;
  readonly #asked: Asked;
  /** Those that could not pay their bid, and may still pay less. */
  readonly #unableCampaigns = new Set<string>();
  readonly #unable = new Set<Candidate>();
  /** How many of `#unable` and `#unableCampaigns` each merchant has. */
  readonly #unableOfMerchants = new Map<number, number>();
  /** Undefined until it is looked for. */
  #first: Rival | undefined;
  #second: Rival | undefined;

  constructor(ranking: Ranking, asked: Asked) {
    this.#ranking = ranking;
    this.#asked = asked;
  }

  /** Returns the best remaining candidate of another merchant that could pay its bid. */
  of(merchantId: number): Candidate | undefined {
    if (!this.#isValid(this.#first)) {
      this.#first = this.#find(undefined);
      this.#second = undefined;
    }
    const first = this.#first?.candidate;
    if (first === undefined || first.merchantId !== merchantId) return first;
    if (!this.#isValid(this.#second)) this.#second = this.#find(merchantId);
    return this.#second?.candidate;
  }

  /** Looks again next time: one of them has left the ranking. */
  forget(isGone: (candidate: Candidate) => boolean): void {
    const has = (rival: Rival | undefined): boolean =>
      rival?.candidate !== undefined && isGone(rival.candidate);
    if (has(this.#first)) this.#first = undefined;
    if (has(this.#second)) this.#second = undefined;
  }

  /** Nobody becomes able to pay later. */
  #isValid(rival: Rival | undefined): boolean {
    if (rival === undefined) return false;
    return rival.candidate === undefined || this.#canPayItsBid(rival.candidate);
  }

  #find(merchantId: number | undefined): Rival {
    const notOf: NotOf = { merchantId, campaignIds: this.#unableCampaigns };
    return { candidate: this.#ranking.find(notOf, (candidate) => this.#look(candidate)) };
  }

  #look(candidate: Candidate): Look {
    if (this.#unable.has(candidate)) return 'passed';
    if (this.#unableOf(candidate) >= MAX_REFUSALS) {
      this.#unableCampaigns.add(candidate.campaignId);
      return 'passed';
    }
    if (this.#asked.hasLost(candidate)) return 'lost';
    return this.#canPayItsBid(candidate) ? 'wanted' : 'passed';
  }

  #unableOf({ merchantId }: Candidate): number {
    return this.#unableOfMerchants.get(merchantId) ?? 0;
  }

  #canPayItsBid(candidate: Candidate): boolean {
    const refusal = this.#asked.refusal(candidate, candidate.bid);
    if (refusal === undefined) return true;
    this.#unableOfMerchants.set(candidate.merchantId, this.#unableOf(candidate) + 1);
    if (losesWithCampaign(candidate, refusal)) this.#unableCampaigns.add(candidate.campaignId);
    else this.#unable.add(candidate);
    return false;
  }
}

import type { Candidate } from '../decide/ranking.ts';
import type { CampaignPace, PacedRequest, Pacing } from './pacing.ts';

/** What pacing says about the campaigns of a request, by ID. Plain data. */
export interface Paces {
  sittingOut: string[];
  /** How much the others may have reserved and spent today, in units, to take part. */
  limits: Record<string, number>;
}

type PaceSource = Pick<Pacing, 'paceOf'>;

/** Paces the requests of one call, each on top of what those before it would get. */
export class CallPaces {
  readonly #pacing: PaceSource;
  /** In units, by campaign. */
  readonly #taken = new Map<string, number>();

  constructor(pacing: PaceSource) {
    this.#pacing = pacing;
  }

  of(request: PacedRequest): RequestPaces {
    return new RequestPaces(this.#pacing, request, this.#taken);
  }
}

interface RequestPace extends CampaignPace {
  isSittingOut: boolean;
}

class RequestPaces {
  readonly #pacing: PaceSource;
  readonly #request: PacedRequest;
  readonly #taken: Map<string, number>;
  /** By campaign. Null if it is not paced. */
  readonly #paces = new Map<string, RequestPace | null>();

  constructor(pacing: PaceSource, request: PacedRequest, taken: Map<string, number>) {
    this.#pacing = pacing;
    this.#request = request;
    this.#taken = taken;
  }

  isPaced(candidate: Candidate): boolean {
    const pace = this.#paceOf(candidate);
    return pace !== null && (pace.isSittingOut || this.#isOver(candidate, pace));
  }

  take({ campaignId }: Candidate, price: number): void {
    this.#taken.set(campaignId, (this.#taken.get(campaignId) ?? 0) + price);
  }

  /** Returns what is said about the campaigns of candidates before any of them gets a place. */
  ofAll(candidates: readonly Candidate[]): Paces {
    const sittingOut = new Set<string>();
    const limits: Record<string, number> = {};
    for (const candidate of candidates) {
      const pace = this.#paceOf(candidate);
      if (pace?.isSittingOut) sittingOut.add(candidate.campaignId);
      else if (pace != null) limits[candidate.campaignId] = pace.limit;
    }
    return { sittingOut: [...sittingOut], limits };
  }

  #paceOf(candidate: Candidate): RequestPace | null {
    const { campaignId } = candidate;
    const read = this.#paces.get(campaignId);
    if (read !== undefined) return read;
    const found = this.#pacing.paceOf(candidate, this.#request);
    // It is asked about before it takes part.
    const pace = found && { ...found, isSittingOut: this.#isOver(candidate, found) };
    this.#paces.set(campaignId, pace);
    return pace;
  }

  #isOver({ campaignId }: Candidate, { used, limit }: CampaignPace): boolean {
    return used + (this.#taken.get(campaignId) ?? 0) > limit;
  }
}

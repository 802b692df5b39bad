import type { Decision, Full } from '../decide/decide.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import type { Shortlist } from '../decide/shortlist.ts';

/** A decision with the places of candidates in its shortlist instead of the candidates. Plain data. */
export interface ListedDecision extends Pick<Decision, 'unfilled' | 'losers'> {
  awards: [place: number, price: number][];
  refused: [place: number, reason: LossReason, isWholeCampaign: boolean][];
  full: Full[];
  considered: number[];
}

export function toListed(decision: Decision, { candidates }: Shortlist): ListedDecision {
  const places = new Map(candidates.map((candidate, place) => [candidate, place]));
  const placeOf = (candidate: Candidate): number => places.get(candidate) ?? -1;
  return {
    ...decision,
    awards: decision.awards.map(({ candidate, price }) => [placeOf(candidate), price]),
    refused: decision.refused.map(({ candidate, reason, isWholeCampaign }) => [
      placeOf(candidate),
      reason,
      isWholeCampaign,
    ]),
    considered: decision.considered.map(placeOf),
  };
}

export function fromListed(listed: ListedDecision, { candidates }: Shortlist): Decision {
  const candidateAt = (place: number): Candidate => {
    const candidate = candidates[place];
    if (candidate === undefined) throw new Error(`a shortlist has no place ${place}`);
    return candidate;
  };
  return {
    ...listed,
    awards: listed.awards.map(([place, price]) => ({ candidate: candidateAt(place), price })),
    refused: listed.refused.map(([place, reason, isWholeCampaign]) => ({
      candidate: candidateAt(place),
      reason,
      isWholeCampaign,
    })),
    considered: listed.considered.map(candidateAt),
  };
}

import type { Decision } from '../decide/decide.ts';
import type { LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import { roundToStep, roundUp } from './rounding.ts';
import { bitOf } from './winners.ts';

/** Scores are counted in millionths, rounded up. */
export const SCORE_UNITS = 1_000_000;

export const FILTERED = 0;
const LISTED = 1;

/**
 * What a request was for a campaign, or a product:
 * - a reason: it lost. `value` is `LISTED` if the request named products, else `FILTERED`
 * - `won`: `value` is the price, in units, rounded
 * - `beaten …`: with `won`, the score that others had to beat, in a request with a least price, in units
 * - `listed`: the request named products, it was looked at, and had to beat the score `value`; -1 if it won
 * - `all …`: all products of the campaign that were left lost. Of campaign '': all of the merchant. `value`
 *   is the request's least price, in units
 * - `spared …`: it had an outcome of its own in a request in which `all …` was counted for its campaign
 * - `spared by merchant`: the same for its merchant
 *
 * If a request names products, `all …` is not counted: whoever was looked at has an outcome of its own.
 */
type WideReason = `all ${LossReason}` | `spared ${LossReason}`;
type OutcomeName = LossReason | 'won' | `beaten ${number}` | 'listed' | 'spared by merchant' | WideReason;

/** `campaignId` is '' for all campaigns of the merchant, `productId` 0 for all products of the campaign. */
export interface RequestOutcome {
  merchantId: number;
  campaignId: string;
  productId: number;
  outcome: OutcomeName;
  value: number;
}

type Places = Pick<Decision, 'awards' | 'unfilled'>;

/** Returns the score that a further candidate had to beat, as it is counted: 0 if a place was left. */
export function scoreToBeat(places: Places): number {
  return roundUp((candidateToBeat(places)?.score ?? 0) * SCORE_UNITS);
}

/** Returns the merchant with this score (`winners.ts`). */
export function winnersOf(places: Places): number {
  const candidate = candidateToBeat(places);
  return candidate === undefined ? 0 : bitOf(candidate.merchantId);
}

function candidateToBeat({ awards, unfilled }: Places): Candidate | undefined {
  return unfilled > 0 ? undefined : awards.at(-1)?.candidate;
}

/**
 * Returns what a decided request was for the campaigns and products that were looked at. A campaign has won
 * if one of its products has; else its best product says why it lost. Who was not refused, and has not won,
 * has no outcome.
 */
export function outcomesOf(
  decision: Decision,
  { isListed, floor }: { isListed: boolean; floor: number },
): RequestOutcome[] {
  const settled = new Settled();
  const kind = isListed ? LISTED : FILTERED;
  for (const { candidate, price } of decision.awards)
    for (const owner of ownersOf(candidate)) settled.add(owner, 'won', roundToStep(price));
  for (const { candidate, reason, isWholeCampaign } of decision.refused) {
    const [campaign, product] = ownersOf(candidate);
    settled.add(campaign, reason, kind);
    if (!isWholeCampaign) settled.add(product, reason, kind);
  }
  const toBeat = scoreToBeat(decision);
  if (isListed) {
    for (const candidate of decision.considered) {
      const reason = wideReason(decision, candidate);
      for (const owner of ownersOf(candidate)) if (reason !== undefined) settled.add(owner, reason, kind);
    }
    return [...settled.outcomes, ...listed(decision, settled, toBeat)];
  }
  const outcome = `beaten ${floor}` as const;
  const beaten = settled.winners.map((owner) => ({ ...owner, outcome, value: toBeat }));
  return [...settled.outcomes, ...beaten, ...wideOutcomes(decision, settled.owners, floor)];
}

type Owner = Pick<RequestOutcome, 'merchantId' | 'campaignId' | 'productId'>;

function ownersOf({ merchantId, campaignId, productId }: Candidate): [campaign: Owner, product: Owner] {
  return [
    { merchantId, campaignId, productId: 0 },
    { merchantId, campaignId, productId },
  ];
}

function nameOf({ merchantId, campaignId, productId }: Owner): string {
  return `${merchantId} ${campaignId} ${productId}`;
}

/** At most one outcome of each campaign and of each product. */
class Settled {
  readonly outcomes: RequestOutcome[] = [];
  readonly #names = new Set<string>();

  get owners(): Owner[] {
    return this.outcomes.map(({ merchantId, campaignId, productId }) => ({
      merchantId,
      campaignId,
      productId,
    }));
  }

  get winners(): Owner[] {
    const won = this.outcomes.filter(({ outcome }) => outcome === 'won');
    return won.map(({ merchantId, campaignId, productId }) => ({ merchantId, campaignId, productId }));
  }

  add(owner: Owner, outcome: 'won' | LossReason, value: number): void {
    const name = nameOf(owner);
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.outcomes.push({ ...owner, outcome, value });
  }
}

/** Returns why a candidate lost with all others of its campaign or its merchant. */
function wideReason({ refused, full }: Decision, candidate: Candidate): LossReason | undefined {
  const { merchantId, campaignId } = candidate;
  const whole = refused.find((each) => each.isWholeCampaign && each.candidate.campaignId === campaignId);
  if (whole !== undefined) return whole.reason;
  const isFull = full.some(
    (each) => each.merchantId === merchantId && (each.campaignId ?? campaignId) === campaignId,
  );
  return isFull ? 'over_max_per_merchant' : undefined;
}

function listed({ considered }: Decision, settled: Settled, toBeat: number): RequestOutcome[] {
  const won = new Set(settled.winners.map(nameOf));
  const owners = new Map(considered.flatMap(ownersOf).map((owner) => [nameOf(owner), owner]));
  return [...owners].map(([name, owner]) => {
    return { ...owner, outcome: 'listed', value: won.has(name) ? -1 : toBeat };
  });
}

/**
 * Returns the reasons for which all that were left of a campaign or a merchant lost, and whom they spared.
 */
function wideOutcomes({ refused, full }: Decision, own: readonly Owner[], value: number): RequestOutcome[] {
  const outcomes: RequestOutcome[] = [];
  const byCampaign = Map.groupBy(own, ({ campaignId }) => campaignId);
  const ofCampaign = (merchantId: number, campaignId: string, reason: LossReason): void => {
    outcomes.push({ merchantId, campaignId, productId: 0, outcome: `all ${reason}`, value });
    for (const owner of byCampaign.get(campaignId) ?? [])
      if (owner.productId !== 0) outcomes.push({ ...owner, outcome: `spared ${reason}`, value });
  };
  for (const { candidate, reason, isWholeCampaign } of refused)
    if (isWholeCampaign) ofCampaign(candidate.merchantId, candidate.campaignId, reason);
  const reason = 'over_max_per_merchant';
  const fullMerchants = new Set(
    full.filter((each) => each.campaignId === null).map((each) => each.merchantId),
  );
  for (const { merchantId, campaignId } of full)
    if (campaignId !== null && !fullMerchants.has(merchantId)) ofCampaign(merchantId, campaignId, reason);
  for (const merchantId of fullMerchants) {
    outcomes.push({ merchantId, campaignId: '', productId: 0, outcome: `all ${reason}`, value });
    for (const owner of own)
      if (owner.merchantId === merchantId) outcomes.push({ ...owner, outcome: 'spared by merchant', value });
  }
  return outcomes;
}

import type { Decision } from '../decide/decide.ts';
import { concernsCampaign, type LossReason } from '../decide/loss-reasons.ts';
import type { Candidate } from '../decide/ranking.ts';
import { roundToStep, roundUp } from './rounding.ts';

/** Scores are counted in millionths, rounded up. */
export const SCORE_UNITS = 1_000_000;

/**
 * What a request was for a campaign, or a product:
 * - a reason: it lost
 * - `won`: `value` is the price, in units, rounded
 * - `beaten`: with `won`, the score that others had to beat
 * - `listed`: the request named products, it was looked at, and had to beat the score `value`; -1 if it won
 * - `all …`: all products of the campaign that were left lost. Of campaign '': all of the merchant
 * - `spared …`: it had an outcome of its own in a request in which `all …` was counted for its campaign
 * - `spared by merchant`: the same for its merchant
 */
type WideReason = `all ${LossReason}` | `spared ${LossReason}`;
type OutcomeName = LossReason | 'won' | 'beaten' | 'listed' | 'spared by merchant' | WideReason;

/** `campaignId` is '' for all campaigns of the merchant, `productId` 0 for all products of the campaign. */
export interface Outcome {
  merchantId: number;
  campaignId: string;
  productId: number;
  outcome: OutcomeName;
  value: number;
}

/** Returns the score that a further candidate had to beat, as it is counted: 0 if a place was left. */
export function scoreToBeat({ awards, unfilled }: Pick<Decision, 'awards' | 'unfilled'>): number {
  const last = awards.at(-1);
  if (unfilled > 0 || last === undefined) return 0;
  return roundUp(last.candidate.score * SCORE_UNITS);
}

/**
 * Returns what a decided request was for the campaigns and products that were looked at, and at most one
 * outcome each. A campaign has won if one of its products has; else its best product says why it lost.
 */
export function outcomesOf(decision: Decision, { isListed }: { isListed: boolean }): Outcome[] {
  const outcomes: Outcome[] = [];
  const toBeat = scoreToBeat(decision);
  const own = new Map<string, Owner>();
  const settle = (owner: Owner, outcome: 'won' | LossReason, value: number): void => {
    if (own.has(nameOf(owner))) return;
    own.set(nameOf(owner), owner);
    outcomes.push({ ...owner, outcome, value });
    if (outcome === 'won' && !isListed) outcomes.push({ ...owner, outcome: 'beaten', value: toBeat });
  };
  for (const { candidate, price } of decision.awards)
    for (const owner of ownersOf(candidate)) settle(owner, 'won', roundToStep(price));
  const won = new Set(own.keys());
  for (const { candidate, reason, isWholeCampaign } of decision.refused) {
    const [campaign, product] = ownersOf(candidate);
    settle(campaign, reason, 0);
    if (!isWholeCampaign && !concernsCampaign(reason)) settle(product, reason, 0);
  }
  outcomes.push(...wideOutcomes(decision, [...own.values()]));
  if (!isListed) return outcomes;
  for (const candidate of decision.considered)
    for (const owner of ownersOf(candidate)) own.set(nameOf(owner), owner);
  for (const owner of own.values())
    outcomes.push({ ...owner, outcome: 'listed', value: won.has(nameOf(owner)) ? -1 : toBeat });
  return outcomes;
}

type Owner = Pick<Outcome, 'merchantId' | 'campaignId' | 'productId'>;

function ownersOf({ merchantId, campaignId, productId }: Candidate): [campaign: Owner, product: Owner] {
  return [
    { merchantId, campaignId, productId: 0 },
    { merchantId, campaignId, productId },
  ];
}

function nameOf({ merchantId, campaignId, productId }: Owner): string {
  return `${merchantId} ${campaignId} ${productId}`;
}

/** Returns the reasons for which all that were left of a campaign or a merchant lost, and whom they spared. */
function wideOutcomes({ refused, full }: Decision, own: readonly Owner[]): Outcome[] {
  const outcomes: Outcome[] = [];
  const ofCampaign = (merchantId: number, campaignId: string, reason: LossReason): void => {
    outcomes.push({ merchantId, campaignId, productId: 0, outcome: `all ${reason}`, value: 0 });
    for (const owner of own)
      if (owner.campaignId === campaignId && owner.productId !== 0)
        outcomes.push({ ...owner, outcome: `spared ${reason}`, value: 0 });
  };
  for (const { candidate, reason, isWholeCampaign } of refused)
    if (isWholeCampaign) ofCampaign(candidate.merchantId, candidate.campaignId, reason);
  for (const { merchantId, campaignId } of full) {
    if (campaignId !== null) {
      ofCampaign(merchantId, campaignId, 'over_max_per_merchant');
      continue;
    }
    const all = 'all over_max_per_merchant';
    outcomes.push({ merchantId, campaignId: '', productId: 0, outcome: all, value: 0 });
    for (const owner of own)
      if (owner.merchantId === merchantId)
        outcomes.push({ ...owner, outcome: 'spared by merchant', value: 0 });
  }
  return outcomes;
}

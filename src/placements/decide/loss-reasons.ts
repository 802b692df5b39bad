/** Why a candidate does not get a place (contract for campaigns, “What merchants see”). */
export const lossReasons = [
  'outbid',
  'daily_budget',
  'daily_budget_per_product',
  'lifetime_budget',
  'lifetime_budget_per_product',
  'paced',
  'max_daily_schedules',
  'out_of_stock',
  'moderated',
  'disabled',
  'no_bid',
  'below_floor',
  'paused',
  'over_max_per_merchant',
] as const;
export type LossReason = (typeof lossReasons)[number];

/** How many candidates lost, without reasons for which no candidate did. */
export type Losers = Partial<Record<LossReason, number>>;

const reasonsOfCampaigns: ReadonlySet<LossReason> = new Set([
  'daily_budget',
  'lifetime_budget',
  'paced',
  'paused',
]);
const reasonsOfBids: ReadonlySet<LossReason> = new Set(['outbid', 'below_floor']);

/** Whether all products of a candidate's campaign lose with it. */
export function losesWithCampaign(
  { isCampaignBid }: { isCampaignBid: boolean },
  reason: LossReason,
): boolean {
  return reasonsOfCampaigns.has(reason) || (isCampaignBid && reasonsOfBids.has(reason));
}

export function addLosers(losers: Losers, reason: LossReason, count: number): void {
  if (count > 0) losers[reason] = (losers[reason] ?? 0) + count;
}

import { amountOf } from '../../shared/amounts.ts';
import { type LossReason, lossReasons } from '../decide/loss-reasons.ts';
import { CampaignStates, type DiagnosedCampaign } from './campaign-states.ts';
import { type NeededBid, NeededBids } from './needed-bids.ts';
import { OutcomeCounts } from './outcome-counts.ts';
import type { DemandRow, OutcomeRow, ProductGroup } from './queries.ts';

export type Lost = Record<LossReason, number>;

/** What requests were for a campaign. Each request was won, or lost for one reason. */
export interface DiagnosisFigures {
  requests: number;
  won: number;
  lost: Lost;
  /** In the currency's major unit; null if nothing was won. */
  median_winning_price: number | null;
  bids: NeededBid[] | null;
}

export interface DiagnosisFacts {
  campaign: DiagnosedCampaign;
  /** 0 for the whole campaign. */
  productId: number;
  /** The products of the campaign, or the one product. */
  groups: readonly ProductGroup[];
  demand: readonly Omit<DemandRow, 'currency' | 'type'>[];
  outcomes: readonly Omit<OutcomeRow, 'merchant_id'>[];
  /** The beginnings of the hours. */
  hours: readonly number[];
  slotOf: (time: number) => number;
  minorUnit: number;
  /** The best of the products; undefined if it is not known. */
  quality: number | undefined;
}

/** Returns what the counts of some hours say about a campaign, or about a product in it. */
export function diagnosisOf(facts: DiagnosisFacts): DiagnosisFigures {
  const { campaign, productId, groups, demand, outcomes, hours, slotOf } = facts;
  const states = new CampaignStates(campaign, groups, slotOf);
  const possible = demand.filter((row) => states.couldWin(row));
  const demandOf = Map.groupBy(possible, ({ hour }) => hour);
  const outcomesOf = Map.groupBy(outcomes, ({ hour }) => hour);
  const lost = noLosses();
  let [requests, won] = [0, 0];
  for (const hour of hours) {
    const counts = new OutcomeCounts(outcomesOf.get(hour) ?? [], campaign.id, productId);
    const rows = demandOf.get(hour) ?? [];
    const wonNow = counts.of('won');
    const decided = wonNow + sum(lossReasons.map((reason) => counts.of(reason)));
    const all = Math.max(decided, counts.of('listed') + sum(rows.map((row) => row.requests)));
    let rest = all - decided;
    const lose = (reason: LossReason, most: number): void => {
      const count = Math.min(rest, most);
      lost[reason] += count;
      rest -= count;
    };
    for (const reason of lossReasons) lost[reason] += counts.of(reason);
    for (const reason of lossReasons) lose(reason, counts.lostWith(reason));
    for (const [reason, count] of explained(rows, states)) if (reason !== 'outbid') lose(reason, count);
    lose('outbid', rest);
    requests += all;
    won += wonNow;
  }
  const all = new OutcomeCounts(outcomes, campaign.id, productId);
  return {
    requests,
    won,
    lost,
    median_winning_price: median(all.values('won')),
    bids: bidsOf(facts, possible, all),
  };
}

function explained(rows: DiagnosisFacts['demand'], states: CampaignStates): Map<LossReason, number> {
  const counts = new Map<LossReason, number>();
  for (const row of rows) {
    const reason = states.reasonFor(row);
    counts.set(reason, (counts.get(reason) ?? 0) + row.requests);
  }
  return counts;
}

/** What it won itself counts with its price: it need not beat its own score. */
function bidsOf(
  { minorUnit, quality }: DiagnosisFacts,
  possible: DiagnosisFacts['demand'],
  counts: OutcomeCounts,
): NeededBid[] | null {
  if (quality === undefined) return null;
  const bids = new NeededBids(minorUnit, quality);
  const beaten = new Map<number, number>();
  for (const { value, requests } of counts.values('beaten'))
    beaten.set(value, (beaten.get(value) ?? 0) + requests);
  for (const { score, floor, requests } of possible) {
    const own = Math.min(requests, beaten.get(score) ?? 0);
    beaten.set(score, (beaten.get(score) ?? 0) - own);
    bids.addScore(score, floor, requests - own);
  }
  for (const { value, requests } of counts.values('won')) bids.addPrice(value, requests);
  for (const { value, requests } of counts.values('listed'))
    if (value >= 0) bids.addScore(value, 0, requests);
  return bids.result();
}

function median(prices: readonly { value: number; requests: number }[]): number | null {
  const inOrder = prices.toSorted((one, other) => one.value - other.value);
  const total = sum(inOrder.map(({ requests }) => requests));
  let passed = 0;
  const middle = inOrder.find(({ requests }) => {
    passed += requests;
    return passed * 2 >= total;
  });
  return middle === undefined ? null : amountOf(middle.value);
}

function noLosses(): Lost {
  const lost: Partial<Lost> = {};
  for (const reason of lossReasons) lost[reason] = 0;
  return lost as Lost;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

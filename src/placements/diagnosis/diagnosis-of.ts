import { amountOf } from '../../shared/amounts.ts';
import { type LossReason, lossReasons } from '../decide/loss-reasons.ts';
import { CampaignStates, type DiagnosedCampaign } from './campaign-states.ts';
import { type NeededBid, NeededBids } from './needed-bids.ts';
import { OutcomeCounts } from './outcome-counts.ts';
import { FILTERED } from './outcomes-of.ts';
import type { DemandRow, OutcomeRow, ProductGroup } from './queries.ts';
import { unionOf } from './winners.ts';

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

type Demand = readonly Omit<DemandRow, 'currency' | 'type'>[];

export interface DiagnosisFacts {
  merchantId: number;
  campaign: DiagnosedCampaign;
  /** 0 for the whole campaign. */
  productId: number;
  /** The products of the campaign, or the one product. */
  groups: readonly ProductGroup[];
  demand: Demand;
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
  const inHours = hours.map((hour) => {
    const counts = new OutcomeCounts(outcomesOf.get(hour) ?? [], campaign.id, productId);
    return { won: counts.of('won'), lost: lossesOf(counts, demandOf.get(hour) ?? [], states) };
  });
  const won = sum(inHours.map((hour) => hour.won));
  const lost = lossesBy((reason) => sum(inHours.map((hour) => hour.lost[reason])));
  const counts = new OutcomeCounts(outcomes, campaign.id, productId);
  return {
    requests: won + sum(Object.values(lost)),
    won,
    lost,
    median_winning_price: median(counts.values('won')),
    bids: bidsOf(facts, possible, counts),
  };
}

/**
 * Returns why the requests of an hour were lost: for the reason that its own decision gave, else with the
 * rest of its campaign or its merchant, else because of its state, else to higher scores.
 */
function lossesOf(counts: OutcomeCounts, rows: Demand, states: CampaignStates): Lost {
  const lost = lossesBy((reason) => counts.of(reason));
  const possible = sum(rows.map((row) => row.requests)) + counts.of('listed');
  let rest = Math.max(0, possible - counts.of('won') - sum(Object.values(lost)));
  const lose = (reason: LossReason, most: number): void => {
    const count = Math.max(0, Math.min(rest, most));
    lost[reason] += count;
    rest -= count;
  };
  for (const reason of lossReasons) lose(reason, counts.lostWith(reason, states.bid));
  // A decision may have seen the same, for example that the bid is below the least price.
  for (const [reason, requests] of explain(rows, states))
    lose(reason, requests - counts.of(reason, FILTERED));
  lose('outbid', rest);
  return lost;
}

/** Returns what the state of the campaign says about requests. */
function explain(rows: Demand, states: CampaignStates): Map<LossReason, number> {
  const counts = new Map<LossReason, number>();
  for (const row of rows) {
    const reason = states.reasonFor(row);
    if (reason !== 'outbid') counts.set(reason, (counts.get(reason) ?? 0) + row.requests);
  }
  return counts;
}

/** What it won itself counts with its price: it need not beat its own score. */
function bidsOf(
  { merchantId, minorUnit, quality }: DiagnosisFacts,
  possible: Demand,
  counts: OutcomeCounts,
): NeededBid[] | null {
  if (quality === undefined) return null;
  const bids = new NeededBids({ merchantId, minorUnit, quality });
  const byScore = Map.groupBy(possible, ({ score, floor }) => `${floor} ${score}`);
  for (const rows of byScore.values()) {
    const [{ score = 0, floor = 0 } = {}] = rows;
    const own = counts.of(`beaten ${floor}`, score);
    const winners = rows.reduce((union, row) => unionOf(union, row.winners), 0);
    bids.addScore({ score, floor, requests: sum(rows.map((row) => row.requests)) - own, winners });
  }
  for (const { value, requests } of counts.values('won')) bids.addPrice(value, requests);
  for (const { value: score, requests, winners } of counts.values('listed'))
    if (score >= 0) bids.addScore({ score, floor: 0, requests, winners });
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

function lossesBy(countOf: (reason: LossReason) => number): Lost {
  return Object.fromEntries(lossReasons.map((reason) => [reason, countOf(reason)])) as Lost;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

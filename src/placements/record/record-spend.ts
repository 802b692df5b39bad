import type { CampaignRow, CampaignSpend } from '../../campaigns/campaign.ts';
import { campaignOf } from '../../campaigns/campaign-record.ts';
import { isSpent } from '../../campaigns/campaign-spend.ts';
import { exhaustCampaign } from '../../campaigns/change-campaign.ts';
import { updateSpend } from '../../campaigns/queries.ts';
import { settingOf } from '../../campaigns/setting-of.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import { recordEvent } from '../../events/record-event.ts';
import { unitsOf } from '../../shared/amounts.ts';
import { setAnnounced } from './queries.ts';

/** What `recordSpend` needs in addition to a `TransactionContext`. */
export interface SpendNeeds {
  /** The percentage of a lifetime budget, from 1 to 100, from which `campaign.low_budget` is sent. */
  lowBudget: number;
}

export type SpendContext = TransactionContext & SpendNeeds;

/** What events have said: 1 once the day's budget is spent; the lifetime budget that is low, in units. */
interface Announced {
  daily: number;
  low: number;
}

/**
 * Writes what a locked campaign has spent, exhausts it if its lifetime budget no longer covers its bid, and
 * records the events about its budgets (contract for campaigns, “What became of them”).
 */
export async function recordSpend(
  context: SpendContext,
  before: CampaignRow,
  after: CampaignSpend,
  announced: Announced,
): Promise<void> {
  const { connection, merchantId, now, lowBudget } = context;
  const spendBefore = before.spend_day === after.spend_day ? before.spend_today : 0;
  if (
    before.spend === after.spend &&
    before.placements === after.placements &&
    spendBefore === after.spend_today
  )
    return;
  connection.send(updateSpend, [{ merchantId, id: before.id, ...after }]);
  const { daily_budget: daily, lifetime_budget: lifetime } = before;
  const units = lifetime === null ? 0 : unitsOf(lifetime);
  const isDaySpent =
    announced.daily === 0 && after.spend_today > spendBefore && isSpent(daily, after.spend_today, before);
  const isLow =
    lifetime !== null &&
    announced.low !== units &&
    after.spend > before.spend &&
    after.spend * 100 >= units * lowBudget;
  const isExhausted = before.status === 'Active' && isSpent(lifetime, after.spend, before);
  if (!isDaySpent && !isLow && !isExhausted) return;
  const state = { ...before, ...after, ...(await settingOf(context, before.name)) };
  const data = campaignOf(state, now);
  const announce = (day: string, value: number): void =>
    connection.send(setAnnounced, [{ merchantId, campaignId: before.id, day, announced: value }]);
  if (isDaySpent) {
    recordEvent(context, { type: 'campaign.daily_budget_spent', data });
    announce(after.spend_day, 1);
  }
  if (isLow) {
    recordEvent(context, { type: 'campaign.low_budget', data });
    announce('', units);
  }
  if (isExhausted) exhaustCampaign(context, state);
}

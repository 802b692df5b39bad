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

/** What ledgers are written with. */
export interface LedgerNeeds {
  /** The percentage of a lifetime budget that an event announces. */
  lowBudget: number;
}

export type LedgerContext = TransactionContext & LedgerNeeds;

/**
 * Writes what a locked campaign has spent, exhausts it if its lifetime budget no longer covers its bid, and
 * records the events about its budgets (contract for campaigns, “What became of them”). `isAnnounced` says
 * whether an event has already said that the budget of the day is spent.
 */
export async function followSpend(
  context: LedgerContext,
  before: CampaignRow,
  after: CampaignSpend,
  isAnnounced: boolean,
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
  const isDaySpent = !isAnnounced && isSpent(daily, after.spend_today, before);
  const low = lifetime === null ? Number.POSITIVE_INFINITY : (unitsOf(lifetime) * lowBudget) / 100;
  const becameLow = before.spend < low && after.spend >= low;
  const becameSpent = !isSpent(lifetime, before.spend, before) && isSpent(lifetime, after.spend, before);
  if (!isDaySpent && !becameLow && !becameSpent) return;
  const state = { ...before, ...after, ...(await settingOf(context, before.name)) };
  const data = campaignOf(state, now);
  if (isDaySpent) {
    recordEvent(context, { type: 'campaign.daily_budget_spent', data });
    connection.send(setAnnounced, [{ merchantId, campaignId: before.id, day: after.spend_day }]);
  }
  if (becameLow) recordEvent(context, { type: 'campaign.low_budget', data });
  if (before.status === 'Active' && becameSpent) exhaustCampaign(context, state);
}

import { type CampaignRow, type CampaignSpend, campaignOf } from '../../campaigns/campaign.ts';
import { isSpent } from '../../campaigns/campaign-spend.ts';
import { exhaustCampaign } from '../../campaigns/change-campaign.ts';
import { updateSpend } from '../../campaigns/queries.ts';
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
export function followSpend(
  context: LedgerContext,
  before: CampaignRow,
  after: CampaignSpend,
  isAnnounced: boolean,
): void {
  const { connection, merchantId, lowBudget } = context;
  const spendBefore = before.spend_day === after.spend_day ? before.spend_today : 0;
  if (
    before.spend === after.spend &&
    before.placements === after.placements &&
    spendBefore === after.spend_today
  )
    return;
  connection.send(updateSpend, [{ merchantId, id: before.id, ...after }]);
  const { daily_budget: daily, lifetime_budget: lifetime } = before;
  const data = campaignOf({ ...before, ...after });
  if (!isAnnounced && isSpent(daily, after.spend_today, before)) {
    recordEvent(context, { type: 'campaign.daily_budget_spent', data });
    connection.send(setAnnounced, [{ merchantId, campaignId: before.id, day: after.spend_day }]);
  }
  const low = lifetime === null ? Number.POSITIVE_INFINITY : (unitsOf(lifetime) * lowBudget) / 100;
  if (before.spend < low && after.spend >= low) recordEvent(context, { type: 'campaign.low_budget', data });
  const becameSpent = !isSpent(lifetime, before.spend, before) && isSpent(lifetime, after.spend, before);
  if (before.status === 'Active' && becameSpent) exhaustCampaign(context, { ...before, ...after });
}

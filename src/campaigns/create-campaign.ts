import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { recordEvent } from '../events/record-event.ts';
import { idempotent } from '../requests/run-once.ts';
import { type Campaign, NO_SPEND } from './campaign.ts';
import { type CampaignNeeds, requireLeft } from './campaign-budget.ts';
import { recordCampaignChange } from './campaign-history.ts';
import type { CampaignInput } from './campaign-parameters.ts';
import { campaignOf } from './campaign-record.ts';
import { changeSchedule } from './hourly-schedule.ts';
import { insertCampaign } from './queries.ts';
import { settingOf } from './setting-of.ts';

/** Specification, 4.2. @throws {BudgetExceeded} if the merchant has used up today's budget */
export async function createCampaign(
  context: WriteContext & CampaignNeeds,
  campaign: CampaignInput,
): Promise<Campaign> {
  requireLeft(context);
  const { connection, merchantId, now } = context;
  const row = {
    // UUIDs of version 7 sort by time of creation. A sequence would make merchants wait for each other.
    id: randomUUIDv7(),
    name: campaign.name,
    type: campaign.type,
    daily_budget: campaign.daily_budget ?? null,
    bid_amount: campaign.bid_amount ?? null,
    status: 'Active' as const,
    daily_budget_per_product: campaign.daily_budget_per_product ?? null,
    lifetime_budget: campaign.lifetime_budget ?? null,
    lifetime_budget_per_product: campaign.lifetime_budget_per_product ?? null,
    created_at: now,
    updated_at: null,
    hourly_schedule:
      campaign.hourly_schedule === undefined ? null : changeSchedule(null, campaign.hourly_schedule),
  };
  const created = campaignOf({ ...row, ...NO_SPEND, ...(await settingOf(context, row.name)) }, now);
  connection.send(insertCampaign, [{ merchant_id: merchantId, ...row }]);
  const eventId = recordEvent(context, { type: 'campaign.created', data: created });
  recordCampaignChange(context, { campaignId: row.id, eventId }, undefined, row);
  recordAudit(context, { action: 'campaign.created', subject: created.name });
  return created;
}

export const createCampaignOnce = idempotent(
  async (context: WriteContext & CampaignNeeds, campaign: CampaignInput) => ({
    response: JSON.stringify(await createCampaign(context, campaign)),
    isChange: true,
  }),
);

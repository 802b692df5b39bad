import { authorOf } from '../audit/change-author.ts';
import type { WriteContext } from '../database/write-context.ts';
import { amountNames, type CampaignRow } from './campaign.ts';
import { insertCampaignChange } from './history-queries.ts';

const recorded = ['name', 'type', 'status', ...amountNames, 'hourly_schedule'] as const;
type Recorded = (typeof recorded)[number];
export type RecordedCampaign = Pick<CampaignRow, Recorded>;

/** The values before and after a change. */
export type CampaignDiff = { [Name in Recorded]?: [from: CampaignRow[Name] | null, to: CampaignRow[Name]] };

/**
 * Records a change of a campaign in its transaction, which has recorded the event with this ID. `before` is
 * undefined for a new campaign. Does not record what placements cost.
 */
export function recordCampaignChange(
  { connection, merchantId, now, who }: WriteContext,
  { campaignId, eventId }: { campaignId: string; eventId: string },
  before: RecordedCampaign | undefined,
  after: RecordedCampaign,
): void {
  const changes = recorded.flatMap((name) => {
    const from = before?.[name] ?? null;
    return from === after[name] ? [] : [[name, [from, after[name]]]];
  });
  const { import_id: _, ...author } = authorOf(who, now);
  connection.send(insertCampaignChange, [
    {
      merchant_id: merchantId,
      campaign_id: campaignId,
      id: eventId,
      ...author,
      changes: JSON.stringify(Object.fromEntries(changes)),
    },
  ]);
}

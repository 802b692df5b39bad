import type { Reader } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import type { Campaign } from './campaign.ts';
import { campaignOf } from './campaign-record.ts';
import { findCampaign } from './queries.ts';

export async function retrieveCampaign(
  { database, now }: { database: Reader; now: () => number },
  merchantId: number,
  id: string,
): Promise<Campaign> {
  const row = await database.first(findCampaign, { merchantId, id });
  if (row === undefined) throw errors.campaign_not_found(id);
  return campaignOf(row, now());
}

import type { Reader } from '../database/database.ts';
import { type Campaign, campaignOf } from './campaign.ts';
import { findCampaign } from './queries.ts';

export async function retrieveCampaign(
  { database }: { database: Reader },
  merchantId: number,
  id: string,
): Promise<Campaign | undefined> {
  const row = await database.first(findCampaign, { merchantId, id });
  return row === undefined ? undefined : campaignOf(row);
}

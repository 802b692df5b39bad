import type { Database } from '../database/database.ts';
import { formatTime } from '../timestamps.ts';
import type { Campaign } from './campaign.ts';
import { listNewestCampaigns } from './queries.ts';

/** A campaign with what the API does not show of it. */
export type ListedCampaign = Campaign & { id: string; created_at: string };

/** A page of a merchant's campaigns, newest first; `page` counts from 1. */
export async function listCampaigns(
  { database }: { database: Database },
  merchantId: number,
  { page, perPage }: { page: number; perPage: number },
): Promise<ListedCampaign[]> {
  const rows = await database.all(listNewestCampaigns, [merchantId, perPage, (page - 1) * perPage]);
  return rows.map((row) => ({ ...row, created_at: formatTime(row.created_at) }));
}

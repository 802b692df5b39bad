import type { Database } from '../database/database.ts';
import type { Campaign } from './campaign.ts';
import { listCampaignsAfter } from './queries.ts';

const BATCH = 1000;

/** A merchant's campaigns, oldest first, a batch at a time. */
export async function* exportCampaigns(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<Campaign[]> {
  let last = '';
  for (;;) {
    const rows = await database.all(listCampaignsAfter, [merchantId, last, BATCH]);
    if (rows.length > 0) yield rows.map(({ id: _, created_at: __, ...campaign }) => campaign);
    last = rows.at(-1)?.id ?? last;
    if (rows.length < BATCH) return;
  }
}

import type { Database } from '../database/database.ts';
import type { Campaign } from './campaign.ts';
import { campaignsAt } from './campaign-record.ts';
import { listCampaignsAfter } from './queries.ts';

const BATCH_SIZE = 1000;

/** Oldest first. */
export async function* exportCampaigns(
  { database, now }: { database: Database; now: () => number },
  merchantId: number,
): AsyncGenerator<Campaign[]> {
  let after = '';
  for (;;) {
    const rows = await database.all(listCampaignsAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) yield rows.map(campaignsAt(now()));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { Campaign } from './campaign.ts';
import { findCampaignBefore, listCampaignsBefore } from './queries.ts';

/** After every id. */
const END = '~';
/** So many are passed over at once: other requests are served between. */
const STEP = 10_000;

/** A campaign with what the API does not show of it. */
export type ListedCampaign = Campaign & { id: string; created_at: string };

/** A page of a merchant's campaigns, newest first; `page` counts from 1. */
export async function listCampaigns(
  { database }: { database: Reader },
  merchantId: number,
  { page, perPage }: { page: number; perPage: number },
): Promise<ListedCampaign[]> {
  let before = END;
  let toSkip = (page - 1) * perPage;
  for (; toSkip > STEP; toSkip -= STEP) {
    const last = await database.first(findCampaignBefore, [merchantId, before, STEP - 1]);
    if (last === undefined) return [];
    before = last.id;
    await nextTurn();
  }
  const rows = await database.all(listCampaignsBefore, [merchantId, before, perPage, toSkip]);
  return rows.map((row) => ({ ...row, created_at: formatTime(row.created_at) }));
}

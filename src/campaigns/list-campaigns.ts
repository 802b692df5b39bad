import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { Campaign } from './campaign.ts';
import { findCampaignBefore, listCampaignsBefore } from './queries.ts';

/** Sorts after every id. */
const AFTER_ALL_IDS = '~';
/** The number of campaigns to skip in one step. Other requests are served between steps. */
const STEP = 10_000;

/** A campaign with its id and time of creation, which the API does not show. */
export type ListedCampaign = Campaign & { id: string; created_at: string };

/** Returns a page of a merchant's campaigns, newest first; `page` counts from 1. */
export async function listCampaigns(
  { database }: { database: Reader },
  merchantId: number,
  { page, perPage }: { page: number; perPage: number },
): Promise<ListedCampaign[]> {
  let before = AFTER_ALL_IDS;
  let offset = (page - 1) * perPage;
  for (; offset > STEP; offset -= STEP) {
    const last = await database.first(findCampaignBefore, { merchantId, before, offset: STEP - 1 });
    if (last === undefined) return [];
    before = last.id;
    await nextTurn();
  }
  const rows = await database.all(listCampaignsBefore, { merchantId, before, limit: perPage, offset });
  return rows.map((row) => ({ ...row, created_at: formatTime(row.created_at) }));
}

import type { Database } from '../database/database.ts';
import type { Campaign, CampaignStatus } from './campaign.ts';
import { campaignOf } from './campaign-record.ts';
import { findCampaign, findNewestOfAll } from './queries.ts';

/** Sorts after every ID. */
const NEWEST = '~';

interface Filter {
  /** Undefined for all. */
  status?: CampaignStatus | undefined;
  /** The list begins after this campaign. */
  after?: string | undefined;
  limit: number;
}

/** Lists campaigns of all merchants, newest first. */
export async function listCampaignsOfAllMerchants(
  { database, now }: { database: Pick<Database, 'all' | 'first'>; now: () => number },
  { status, after = NEWEST, limit }: Filter,
): Promise<{ merchantId: number; campaign: Campaign }[]> {
  const query = findNewestOfAll(status !== undefined);
  const found = await database.all(query, { before: after, status: status ?? '', limit });
  const states = await Promise.all(
    found.map(({ merchant_id: merchantId, id }) => database.first(findCampaign, { merchantId, id })),
  );
  return found.flatMap(({ merchant_id: merchantId }, index) => {
    const state = states[index];
    return state === undefined ? [] : [{ merchantId, campaign: campaignOf(state, now()) }];
  });
}

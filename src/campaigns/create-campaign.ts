import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { Campaign } from './campaign.ts';
import { insertCampaign } from './queries.ts';

/** The fields of a new campaign that a merchant sets. */
export type NewCampaign = Pick<Campaign, 'name' | 'type'> & {
  [Name in Exclude<keyof Campaign, 'name' | 'type' | 'status'>]: number | undefined;
};

/** Creates an active campaign inside the given transaction (specification, 4.2). */
export async function createCampaign(
  connection: Connection,
  merchantId: number,
  campaign: NewCampaign,
  now: number,
): Promise<Campaign> {
  const created: Campaign = {
    name: campaign.name,
    type: campaign.type,
    daily_budget: campaign.daily_budget ?? null,
    bid_amount: campaign.bid_amount ?? null,
    status: 'Active',
    daily_budget_per_product: campaign.daily_budget_per_product ?? null,
    lifetime_budget: campaign.lifetime_budget ?? null,
    lifetime_budget_per_product: campaign.lifetime_budget_per_product ?? null,
  };
  // UUIDs of version 7 sort by the time of creation. A sequence would make merchants wait for each other.
  const key = { merchant_id: merchantId, id: randomUUIDv7() };
  await connection.run(insertCampaign, { ...key, ...created, created_at: now });
  return created;
}

import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { Campaign } from './campaign.ts';
import { insertCampaign } from './queries.ts';

/** What a merchant says of a new campaign. */
export type NewCampaign = Pick<Campaign, 'name' | 'type'> & {
  [Name in Exclude<keyof Campaign, 'name' | 'type' | 'status'>]: number | undefined;
};

/** Creates an active campaign, inside the transaction given (specification, 4.2). */
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
  // Such ids sort by the time they were made at, and need no number that every merchant waits for.
  await connection.run(insertCampaign, [merchantId, randomUUIDv7(), ...Object.values(created), now]);
  return created;
}

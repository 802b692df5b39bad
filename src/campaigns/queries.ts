import { insertInto, statement } from '../database/database.ts';
import type { Campaign } from './campaign.ts';

export const insertCampaign = insertInto('campaigns', [
  'merchant_id',
  'id',
  'name',
  'type',
  'daily_budget',
  'bid_amount',
  'status',
  'daily_budget_per_product',
  'lifetime_budget',
  'lifetime_budget_per_product',
  'created_at',
]);

export type CampaignRow = Campaign & { id: string; created_at: number };

const columns = `id, name, type, daily_budget, bid_amount, status, daily_budget_per_product, lifetime_budget,
  lifetime_budget_per_product, created_at`;

/** Parameters: merchant, the id to go on after ('' for the first), how many. Oldest first. */
export const listCampaignsAfter = statement<CampaignRow>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = ? AND id > ? ORDER BY id LIMIT ?`,
);

/** Parameters: merchant, the id that they come before, how many, how many to pass over. Newest first. */
export const listCampaignsBefore = statement<CampaignRow>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = ? AND id < ?
   ORDER BY id DESC LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)`,
);

/** Parameters: merchant, the id to start before, how many to pass over. Newest first. */
export const findCampaignBefore = statement<{ id: string }>(
  `SELECT id FROM campaigns WHERE merchant_id = ? AND id < ?
   ORDER BY id DESC LIMIT 1 OFFSET CAST(? AS bigint)`,
);

/** Parameters: merchant, the id to start after, how many to pass over. Oldest first. */
export const findCampaignAfter = statement<{ id: string }>(
  `SELECT id FROM campaigns WHERE merchant_id = ? AND id > ?
   ORDER BY id LIMIT 1 OFFSET CAST(? AS bigint)`,
);

/** Parameters: merchant, the id to count after ('' for all). */
export const countCampaignsAfter = statement<{ campaigns: number; newest: string | null }>(
  'SELECT count(*) AS campaigns, max(id) AS newest FROM campaigns WHERE merchant_id = ? AND id > ?',
);

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

/** Parameters: merchant, the id to go on after ('' for the first), how many. Oldest first. */
export const listCampaignsAfter = statement<Campaign & { id: string; created_at: number }>(
  `SELECT id, name, type, daily_budget, bid_amount, status, daily_budget_per_product, lifetime_budget,
     lifetime_budget_per_product, created_at
   FROM campaigns WHERE merchant_id = ? AND id > ? ORDER BY id LIMIT ?`,
);

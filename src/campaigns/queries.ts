import { insertInto, statement } from '../database/database.ts';
import type { Campaign } from './campaign.ts';

/** `created_at` is in milliseconds since 1970. Ids sort by the time of creation. */
export type CampaignRow = Campaign & { id: string; created_at: number };

export const insertCampaign = insertInto<CampaignRow & { merchant_id: number }>('campaigns', [
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

const columns = `id, name, type, daily_budget, bid_amount, status, daily_budget_per_product, lifetime_budget,
  lifetime_budget_per_product, created_at`;

/** Lists campaigns, oldest first. `after` is a campaign's id, '' for the first campaign. */
export const listCampaignsAfter = statement<
  { merchantId: number; after: string; limit: number },
  CampaignRow
>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id > :after ORDER BY id LIMIT :limit`,
);

/** Lists campaigns before an id, newest first. */
export const listCampaignsBefore = statement<
  { merchantId: number; before: string; limit: number; offset: number },
  CampaignRow
>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id < :before
   ORDER BY id DESC LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)`,
);

/** Finds the campaign `offset` places after the newest one before an id. */
export const findCampaignBefore = statement<
  { merchantId: number; before: string; offset: number },
  { id: string }
>(
  `SELECT id FROM campaigns WHERE merchant_id = :merchantId AND id < :before
   ORDER BY id DESC LIMIT 1 OFFSET CAST(:offset AS bigint)`,
);

/** Finds the campaign `offset` places after the oldest one after an id. */
export const findCampaignAfter = statement<
  { merchantId: number; after: string; offset: number },
  { id: string }
>(
  `SELECT id FROM campaigns WHERE merchant_id = :merchantId AND id > :after
   ORDER BY id LIMIT 1 OFFSET CAST(:offset AS bigint)`,
);

/** Counts the campaigns after an id, '' for all campaigns. */
export const countCampaignsAfter = statement<
  { merchantId: number; after: string },
  { campaigns: number; newest: string | null }
>(
  `SELECT count(*) AS campaigns, max(id) AS newest FROM campaigns
   WHERE merchant_id = :merchantId AND id > :after`,
);

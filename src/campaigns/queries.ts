import type { CatalogState } from '../database/merchant-queries.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';
import type {
  CampaignRow,
  CampaignSetting,
  CampaignSpend,
  CampaignState,
  CampaignStatus,
} from './campaign.ts';

export interface CampaignKey {
  merchantId: number;
  id: string;
}

export const insertCampaign = insertInto<Omit<CampaignRow, keyof CampaignSpend> & { merchant_id: number }>(
  'campaigns',
  [
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
    'updated_at',
    'hourly_schedule',
  ],
);

const columns = `id, name, type, daily_budget, bid_amount, status, daily_budget_per_product, lifetime_budget,
  lifetime_budget_per_product, created_at, updated_at, hourly_schedule, spend, placements, spend_day, spend_today`;

/** What the catalog counts for the name of a campaign. */
const counted = (column: string, name: string): string =>
  `coalesce((SELECT p.${column} FROM campaign_products p
             WHERE p.merchant_id = :merchantId AND p.campaign_name = ${name}), 0) AS ${column}`;

const stateColumns = `${columns}, ${counted('products', 'campaigns.name')}, ${counted('with_bid', 'campaigns.name')},
  (SELECT m.time_zone FROM merchant_counters m WHERE m.merchant_id = :merchantId) AS time_zone`;

export const findCampaign = statement<CampaignKey, CampaignState>(
  `SELECT ${stateColumns} FROM campaigns WHERE merchant_id = :merchantId AND id = :id`,
);

/** Finds what a campaign with a name has beyond its row. */
export const findSetting = statement<{ merchantId: number; name: string }, CampaignSetting>(
  `SELECT ${counted('products', ':name')}, ${counted('with_bid', ':name')}, m.time_zone
   FROM merchant_counters m WHERE m.merchant_id = :merchantId`,
);

export const findCampaignRow = statement<CampaignKey, CampaignRow>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id = :id`,
);

/** Locks it until the transaction ends. */
export const lockCampaign = statement<CampaignKey, CampaignRow>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id = :id`,
  { locks: true },
);

/** The campaign gets its revision when changes are listed. */
export const updateCampaignRow = statement<
  Omit<CampaignRow, 'type' | 'created_at' | keyof CampaignSpend> & CampaignKey,
  never
>(
  `UPDATE campaigns
   SET name = :name, daily_budget = :daily_budget, bid_amount = :bid_amount, status = :status,
       daily_budget_per_product = :daily_budget_per_product, lifetime_budget = :lifetime_budget,
       lifetime_budget_per_product = :lifetime_budget_per_product, updated_at = :updated_at,
       hourly_schedule = :hourly_schedule, revision = 0
   WHERE merchant_id = :merchantId AND id = :id`,
);

/** The campaign keeps its revision: clients follow placements by themselves. */
export const updateSpend = statement<CampaignSpend & CampaignKey, never>(
  `UPDATE campaigns SET spend = :spend, placements = :placements, spend_day = :spend_day, spend_today = :spend_today
   WHERE merchant_id = :merchantId AND id = :id`,
);

/** Adds to the numbers of campaigns that are not active, and counts the change. */
export const countStatusChange = statement<
  { merchantId: number; paused: number; expired: number; exhausted: number },
  never
>(
  `INSERT INTO campaign_counts (merchant_id, paused, expired, exhausted, changes)
   VALUES (:merchantId, :paused, :expired, :exhausted, 1)
   ON CONFLICT (merchant_id) DO UPDATE SET
     paused = campaign_counts.paused + excluded.paused, expired = campaign_counts.expired + excluded.expired,
     exhausted = campaign_counts.exhausted + excluded.exhausted, changes = campaign_counts.changes + 1`,
);

export const findCampaignState = statement<{ merchantId: number }, CatalogState>(
  'SELECT epoch, campaign_revision AS revision FROM merchant_counters WHERE merchant_id = :merchantId',
);

/** Finds a campaign that has changed and has no revision yet. */
export const findUnnumberedCampaign = statement<{ merchantId: number }, { id: string }>(
  'SELECT id FROM campaigns WHERE merchant_id = :merchantId AND revision = 0 LIMIT 1',
);

/** Locks the merchant like `lockMerchant`. Raises the revision to the given one, or a later one. */
export const raiseCampaignRevision = statement<
  { merchantId: number; revision: number },
  { revision: number }
>(
  `UPDATE merchant_counters
   SET campaign_revision = CASE WHEN campaign_revision >= :revision THEN campaign_revision + 1 ELSE :revision END
   WHERE merchant_id = :merchantId RETURNING campaign_revision AS revision`,
);

/** Numbers up to `limit` campaigns without a revision. */
export const numberCampaigns = statement<{ merchantId: number; revision: number; limit: number }, never>(
  `UPDATE campaigns SET revision = :revision
   WHERE merchant_id = :merchantId AND revision = 0 AND id <=
     (SELECT max(few.id) FROM
       (SELECT id FROM campaigns WHERE merchant_id = :merchantId AND revision = 0
        ORDER BY id LIMIT CAST(:limit AS bigint)) AS few)`,
);

/** Lists campaigns in the order of their last change. */
export const listCampaignsChangedAfter = statement<
  { merchantId: number; revision: number; id: string; limit: number },
  CampaignState & { revision: number }
>(
  `SELECT ${stateColumns}, revision FROM campaigns
   WHERE merchant_id = :merchantId AND (revision, id) > (:revision, :id)
   ORDER BY revision, id LIMIT CAST(:limit AS bigint)`,
);

/** Oldest first. `after` is '' for the first campaign. */
export const listCampaignsAfter = statement<
  { merchantId: number; after: string; limit: number },
  CampaignState
>(
  `SELECT ${stateColumns} FROM campaigns WHERE merchant_id = :merchantId AND id > :after ORDER BY id LIMIT :limit`,
);

/** Before an id, newest first, without the first `offset`. */
interface Before {
  merchantId: number;
  before: string;
  offset: number;
}

const ofAnyStatus = 'FROM campaigns WHERE merchant_id = :merchantId AND id < :before ORDER BY id DESC';
// With the status in the sort, PostgreSQL has no other index to walk, in which it would skip other statuses.
const ofStatus = `FROM campaigns
  WHERE merchant_id = :merchantId AND (status, id) < (:status, :before) AND status >= :status
  ORDER BY status DESC, id DESC`;
const part = 'LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)';
const one = 'LIMIT 1 OFFSET CAST(:offset AS bigint)';

export const listCampaignsBefore = statement<Before & { limit: number }, CampaignState>(
  `SELECT ${stateColumns} ${ofAnyStatus} ${part}`,
);
export const listCampaignsOfStatusBefore = statement<
  Before & { status: CampaignStatus; limit: number },
  CampaignState
>(`SELECT ${stateColumns} ${ofStatus} ${part}`);

/** Finds the campaign `offset` places after the newest one before an id. */
export const findCampaignBefore = statement<Before, { id: string }>(`SELECT id ${ofAnyStatus} ${one}`);
export const findCampaignOfStatusBefore = statement<Before & { status: CampaignStatus }, { id: string }>(
  `SELECT id ${ofStatus} ${one}`,
);

/** Finds campaigns of all merchants, newest first, without test sides; with a status, only some. */
export function findNewestOfAll(
  hasStatus: boolean,
): Statement<{ before: string; status: string; limit: number }, { merchant_id: number; id: string }> {
  return statement(
    `SELECT merchant_id, id FROM campaigns
     WHERE id < :before AND merchant_id > 0 AND status ${hasStatus ? '=' : '<>'} :status
     ORDER BY id DESC LIMIT CAST(:limit AS bigint)`,
    { everyNode: true },
  );
}

/** All of these are from one state of the data. */
export interface CountStep {
  /** Counts the campaigns of the step. */
  campaigns: number;
  /** The newest one's id; null if there is none. */
  newest: string | null;
  /** Counts the campaigns before `settled`, with the newest one's id. */
  settled_campaigns: number;
  newest_settled: string | null;
  /** Counts all campaigns with the status; null for 0. */
  paused: number | null;
  expired: number | null;
  exhausted: number | null;
  /** Status changes so far; null for 0. */
  changes: number | null;
  /** Differs after the merchant's campaigns were deleted. */
  epoch: number;
}

/** Oldest first. */
export const countCampaignsAfter = statement<
  { merchantId: number; after: string; settled: string; limit: number },
  CountStep
>(
  `SELECT count(*) AS campaigns, max(id) AS newest,
     count(CASE WHEN id < :settled THEN 1 END) AS settled_campaigns,
     max(CASE WHEN id < :settled THEN id END) AS newest_settled,
     (SELECT c.paused FROM campaign_counts c WHERE c.merchant_id = :merchantId) AS paused,
     (SELECT c.expired FROM campaign_counts c WHERE c.merchant_id = :merchantId) AS expired,
     (SELECT c.exhausted FROM campaign_counts c WHERE c.merchant_id = :merchantId) AS exhausted,
     (SELECT c.changes FROM campaign_counts c WHERE c.merchant_id = :merchantId) AS changes,
     (SELECT m.epoch FROM merchant_counters m WHERE m.merchant_id = :merchantId) AS epoch
   FROM (SELECT id FROM campaigns WHERE merchant_id = :merchantId AND id > :after
         ORDER BY id LIMIT CAST(:limit AS bigint)) AS few`,
);

/** Lists campaigns that have not expired, newest first. */
export const listCampaignsInUse = statement<
  { merchantId: number; name: string; limit: number },
  { id: string }
>(
  `SELECT id FROM campaigns WHERE merchant_id = :merchantId AND name = :name AND status <> 'Expired'
   ORDER BY id DESC LIMIT CAST(:limit AS bigint)`,
);

/** Expired or not. */
export const findNewestCampaign = statement<{ merchantId: number; name: string }, { id: string }>(
  `SELECT id FROM campaigns WHERE merchant_id = :merchantId AND name = :name ORDER BY id DESC LIMIT 1`,
);

/** What the campaigns of a merchant come to. */
export interface CampaignSumsRow {
  merchant_id: number;
  active: number;
  exhausted: number;
  /** Of active campaigns, in the major unit; null if none has one. */
  daily_budgets: number | null;
}

/** Reads the campaigns of all merchants, except on test sides. */
export const sumBudgetsOfAll = statement<unknown, CampaignSumsRow>(
  `SELECT merchant_id, count(CASE WHEN status = 'Active' THEN 1 END) AS active,
     count(CASE WHEN status = 'Lifetime Budget Exhausted' THEN 1 END) AS exhausted,
     sum(CASE WHEN status = 'Active' THEN daily_budget END) AS daily_budgets
   FROM campaigns WHERE merchant_id > 0 GROUP BY merchant_id`,
  { everyNode: true, offLoop: true },
);

import { insertInto, statement } from '../database/database.ts';
import type { CatalogState } from '../database/merchant-queries.ts';
import type { CampaignRow, CampaignStatus } from './campaign.ts';

interface CampaignKey {
  merchantId: number;
  id: string;
}

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
  'updated_at',
]);

const columns = `id, name, type, daily_budget, bid_amount, status, daily_budget_per_product, lifetime_budget,
  lifetime_budget_per_product, created_at, updated_at`;

export const findCampaign = statement<CampaignKey, CampaignRow>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id = :id`,
);

/** Locks a campaign until the transaction ends, and returns it. */
export const lockCampaign = statement<CampaignKey, CampaignRow>(
  `UPDATE campaigns SET status = status WHERE merchant_id = :merchantId AND id = :id RETURNING ${columns}`,
);

/** Stores the fields of a campaign that can change. It gets its revision when changes are listed. */
export const updateCampaignRow = statement<Omit<CampaignRow, 'type' | 'created_at'> & CampaignKey, never>(
  `UPDATE campaigns
   SET name = :name, daily_budget = :daily_budget, bid_amount = :bid_amount, status = :status,
       daily_budget_per_product = :daily_budget_per_product, lifetime_budget = :lifetime_budget,
       lifetime_budget_per_product = :lifetime_budget_per_product, updated_at = :updated_at, revision = 0
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

/** The state of a merchant's campaigns. */
export const findCampaignState = statement<{ merchantId: number }, CatalogState>(
  'SELECT epoch, campaign_revision AS revision FROM merchant_counters WHERE merchant_id = :merchantId',
);

/** Finds a campaign that has changed and has no revision yet. */
export const findUnnumberedCampaign = statement<{ merchantId: number }, { id: string }>(
  'SELECT id FROM campaigns WHERE merchant_id = :merchantId AND revision = 0 LIMIT 1',
);

/** Locks a merchant like `lockMerchant`, and returns the next revision of its campaigns: the given one, or a later one. */
export const raiseCampaignRevision = statement<
  { merchantId: number; revision: number },
  { revision: number }
>(
  `UPDATE merchant_counters
   SET campaign_revision = CASE WHEN campaign_revision >= :revision THEN campaign_revision + 1 ELSE :revision END
   WHERE merchant_id = :merchantId RETURNING campaign_revision AS revision`,
);

/** Gives up to `limit` campaigns without a revision this one. */
export const numberCampaigns = statement<{ merchantId: number; revision: number; limit: number }, never>(
  `UPDATE campaigns SET revision = :revision
   WHERE merchant_id = :merchantId AND revision = 0 AND id IN
     (SELECT id FROM campaigns WHERE merchant_id = :merchantId AND revision = 0
      ORDER BY id LIMIT CAST(:limit AS bigint))`,
);

/** Lists campaigns in the order of their last change, after a revision and the id of a campaign. */
export const listCampaignsChangedAfter = statement<
  { merchantId: number; revision: number; id: string; limit: number },
  CampaignRow & { revision: number }
>(
  `SELECT ${columns}, revision FROM campaigns
   WHERE merchant_id = :merchantId AND (revision, id) > (:revision, :id)
   ORDER BY revision, id LIMIT CAST(:limit AS bigint)`,
);

/** Lists campaigns, oldest first. `after` is a campaign's id, '' for the first campaign. */
export const listCampaignsAfter = statement<
  { merchantId: number; after: string; limit: number },
  CampaignRow
>(
  `SELECT ${columns} FROM campaigns WHERE merchant_id = :merchantId AND id > :after ORDER BY id LIMIT :limit`,
);

/** The campaigns before an id, newest first, without the first `offset` ones. */
interface Before {
  merchantId: number;
  before: string;
  offset: number;
}

const ofAnyStatus = 'FROM campaigns WHERE merchant_id = :merchantId AND id < :before ORDER BY id DESC';
// Sorting by the status too leaves PostgreSQL no other index to walk: with any other, it would read and skip all
// campaigns of other statuses.
const ofStatus = `FROM campaigns
  WHERE merchant_id = :merchantId AND (status, id) < (:status, :before) AND status >= :status
  ORDER BY status DESC, id DESC`;
const part = 'LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)';
const one = 'LIMIT 1 OFFSET CAST(:offset AS bigint)';

export const listCampaignsBefore = statement<Before & { limit: number }, CampaignRow>(
  `SELECT ${columns} ${ofAnyStatus} ${part}`,
);
export const listCampaignsOfStatusBefore = statement<
  Before & { status: CampaignStatus; limit: number },
  CampaignRow
>(`SELECT ${columns} ${ofStatus} ${part}`);

/** Finds the campaign `offset` places after the newest one before an id. */
export const findCampaignBefore = statement<Before, { id: string }>(`SELECT id ${ofAnyStatus} ${one}`);
export const findCampaignOfStatusBefore = statement<Before & { status: CampaignStatus }, { id: string }>(
  `SELECT id ${ofStatus} ${one}`,
);

/** The numbers that one step of counting reads, from one state of the data. */
export interface CountStep {
  /** The number of campaigns of the step. */
  campaigns: number;
  /** The newest one's id; null if there is none. */
  newest: string | null;
  /** The number of those before `settled`, and the newest one's id. */
  settled_campaigns: number;
  newest_settled: string | null;
  /** The numbers of all campaigns that are not active; null for 0. */
  paused: number | null;
  expired: number | null;
  exhausted: number | null;
  /** The number of status changes so far; null for 0. */
  changes: number | null;
  /** Differs after the merchant's campaigns were deleted. */
  epoch: number;
}

/** Counts up to `limit` campaigns after an id, oldest first. */
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

/** Finds a campaign with a name that has not expired. */
export const findCampaignInUse = statement<{ merchantId: number; name: string }, { id: string }>(
  `SELECT id FROM campaigns WHERE merchant_id = :merchantId AND name = :name AND status <> 'Expired' LIMIT 1`,
);

/** A product that names a campaign, and the size of its record. */
export interface NamedProduct {
  internal_id: number;
  identifier: string;
  bytes: number;
}

/**
 * Lists the products that name a campaign and are not deleted, after an internal id, and that have not changed after a
 * revision of the catalog.
 */
export const listProductsToMove = statement<
  { merchantId: number; name: string; after: number; revision: number; limit: number },
  NamedProduct
>(
  `SELECT internal_id, identifier, octet_length(record) AS bytes FROM products
   WHERE merchant_id = :merchantId AND campaign_name = :name AND internal_id > :after AND revision <= :revision
   ORDER BY internal_id LIMIT CAST(:limit AS bigint)`,
);

/** A rename whose products have not all moved to the new name. Ids sort by the time of the rename. */
export interface RenameRow {
  merchant_id: number;
  id: string;
  former_name: string;
  name: string;
  /** The revision of the catalog at the rename. */
  revision: number;
  /** The internal id of the last product that was moved or left alone. */
  moved_to: number;
}

export const insertRename = insertInto<RenameRow>('campaign_renames', [
  'merchant_id',
  'id',
  'former_name',
  'name',
  'revision',
  'moved_to',
]);

/** Finds the first rename of a merchant whose products have not all moved. */
export const findOldestRename = statement<{ merchantId: number }, RenameRow>(
  `SELECT merchant_id, id, former_name, name, revision, moved_to FROM campaign_renames
   WHERE merchant_id = :merchantId ORDER BY id LIMIT 1`,
);

/** Lets unfinished renames move their products to the next name of their campaign at once. */
export const retargetRenames = statement<{ merchantId: number; formerName: string; name: string }, never>(
  'UPDATE campaign_renames SET name = :name WHERE merchant_id = :merchantId AND name = :formerName',
);

export const updateProgress = statement<CampaignKey & { movedTo: number }, never>(
  'UPDATE campaign_renames SET moved_to = :movedTo WHERE merchant_id = :merchantId AND id = :id',
);

export const deleteRename = statement<CampaignKey, never>(
  'DELETE FROM campaign_renames WHERE merchant_id = :merchantId AND id = :id',
);

/**
 * Lists the merchants with unfinished renames, those with the least progress first. Only the process that numbers events runs
 * it: in a cluster, it reads from every node.
 */
export const listRenamingMerchants = statement<{ limit: number }, { merchant_id: number }>(
  `SELECT merchant_id FROM campaign_renames GROUP BY merchant_id
   ORDER BY max(moved_to), merchant_id LIMIT CAST(:limit AS bigint)`,
);

import type { CampaignStatus } from '../../campaigns/campaign.ts';
import type { Dialect } from '../../database/database.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { EventType } from '../../events/event-types.ts';
import type { ProductRow } from '../../products/record/queries.ts';

/** Small enough that a change of one merchant is found quickly, and many for each row. */
const MERCHANTS_IN_BLOCK = 1_024;

/** One text for many merchants, in any order, with a comma between two: see `readMerchants`. */
export interface MerchantBlock {
  block: number;
  text: string;
}

/** The ID, the currency, whether the merchant is suspended (1), and the time zone, of all merchants. */
export const readMerchants = statement<unknown, MerchantBlock>(
  `SELECT id / ${MERCHANTS_IN_BLOCK} AS block,
     string_agg(id || ' ' || currency || CASE WHEN suspended_at IS NULL THEN ' 0 ' ELSE ' 1 ' END
       || time_zone, ',') AS text
   FROM merchants GROUP BY id / ${MERCHANTS_IN_BLOCK}`,
);

/** The ID and the catalog's revision of all merchants. */
export const readRevisions = statement<unknown, MerchantBlock>(
  `SELECT merchant_id / ${MERCHANTS_IN_BLOCK} AS block,
     string_agg(merchant_id || ' ' || catalog_revision, ',') AS text
   FROM merchant_counters WHERE merchant_id > 0 GROUP BY merchant_id / ${MERCHANTS_IN_BLOCK}`,
  { everyNode: true },
);

export interface CompetingCampaignRow {
  id: string;
  name: string;
  type: string;
  bid_amount: number | null;
  status: CampaignStatus;
  created_at: number;
  hourly_schedule: string | null;
}

const campaignNames = [
  'id',
  'name',
  'type',
  'bid_amount',
  'status',
  'created_at',
  'hourly_schedule',
] as const satisfies (keyof CompetingCampaignRow)[];

/** Rows as JSON of a `Columns`; null without rows. One large value is read faster than many rows. */
export interface Page {
  page: string | null;
}

/** The values of each column, in the order of the rows. */
export type Columns<Row> = { [Name in keyof Row]: Row[Name][] };

/** `rest` is the statement after its columns; with `LIMIT`. */
function pageOf(dialect: Dialect, columns: readonly string[], rest: string): string {
  return `(SELECT ${dialect.jsonColumns(columns)}
           FROM (SELECT ${columns.join(', ')} ${rest}) AS few HAVING count(*) > 0) AS page`;
}

/** At most this many campaigns are read at once. */
export const CAMPAIGNS_AT_ONCE = 512;

/** A page of campaigns that have not expired, in the order of their IDs. */
export function listCampaigns(dialect: Dialect): Statement<{ merchantId: number; after: string }, Page> {
  const rest = `FROM campaigns WHERE merchant_id = :merchantId AND id > :after AND status <> 'Expired'
                ORDER BY id LIMIT ${CAMPAIGNS_AT_ONCE}`;
  return statement(`SELECT ${pageOf(dialect, campaignNames, rest)}`, { offLoop: true });
}

/** For `lookUp`. */
export const findCampaignsByIds = statement<Lookup<string>, CompetingCampaignRow>(
  `SELECT ${campaignNames.join(', ')} FROM campaigns
   WHERE merchant_id = :merchantId AND id IN (${namesPlaceholder})`,
);

const campaignEvents = [
  'campaign.created',
  'campaign.updated',
  'campaign.paused',
  'campaign.resumed',
  'campaign.ended',
  'campaign.exhausted',
] as const satisfies EventType[];

/** The events after a number, up to another, that say that a campaign has changed. */
export const listCampaignEvents = statement<
  { after: number; upTo: number },
  { merchant_id: number; data: string }
>(
  `SELECT merchant_id, data FROM events
   WHERE number > :after AND number <= :upTo AND merchant_id > 0
     AND type IN (${campaignEvents.map((type) => `'${type}'`).join(', ')})`,
);

const productNames = [
  'internal_id',
  'status',
  'category_1',
  'category_2',
  'campaign_name',
  'scheduling_fee_bid',
  'max_daily_schedules',
  'schedule_count',
  'sales_count',
] as const satisfies (keyof ProductRow)[];

export type CompetingProductRow = Pick<ProductRow, (typeof productNames)[number]>;

/** At most this many products are read at once: more would take too long for the event loop. */
export const PRODUCTS_AT_ONCE = 512;

/**
 * A page of products with a campaign name, in the order of the name and the internal ID,
 * and whether (1) the merchant has placements.
 */
export function listProducts(
  dialect: Dialect,
): Statement<{ merchantId: number; afterName: string; afterId: number }, Page & { placed: number }> {
  const rest = `FROM products
    WHERE merchant_id = :merchantId AND campaign_name IS NOT NULL
      AND (campaign_name, internal_id) > (:afterName, :afterId)
    ORDER BY campaign_name, internal_id LIMIT ${PRODUCTS_AT_ONCE}`;
  return statement(
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM placements l WHERE l.merchant_id = :merchantId)
       THEN 1 ELSE 0 END AS placed, ${pageOf(dialect, productNames, rest)}`,
    { offLoop: true },
  );
}

/** Products in the order of their last change. */
export const listChangedProducts = statement<
  { merchantId: number; afterRevision: number; afterId: number; limit: number },
  CompetingProductRow & { revision: number }
>(
  `SELECT ${productNames.join(', ')}, revision FROM products
   WHERE merchant_id = :merchantId AND (revision, internal_id) > (:afterRevision, :afterId)
   ORDER BY revision, internal_id LIMIT CAST(:limit AS bigint)`,
);

/** What the delivered placements of products became, over all campaigns; for `lookUp`. */
export const sumPlacements = statement<
  Lookup<number>,
  { product_id: number; delivered: number; orders: number }
>(
  `SELECT product_id, CAST(sum(delivered) AS bigint) AS delivered, CAST(sum(orders) AS bigint) AS orders
   FROM placement_figures
   WHERE merchant_id = :merchantId AND day = '' AND product_id > 0 AND product_id IN (${namesPlaceholder})
   GROUP BY product_id`,
);

/**
 * What a merchant's products with a campaign name were tried and sold, by category: their placements, and
 * their schedules if they have no placements.
 */
export const sumCategories = statement<
  { merchantId: number },
  Pick<ProductRow, 'category_1' | 'category_2'> & { tries: number; sold: number }
>(
  `SELECT p.category_1, p.category_2,
     CAST(sum(CASE WHEN f.delivered > 0 THEN f.delivered ELSE p.schedule_count END) AS bigint) AS tries,
     CAST(sum(CASE WHEN f.delivered > 0 THEN f.orders WHEN p.schedule_count > 0 THEN p.sales_count
              ELSE 0 END) AS bigint) AS sold
   FROM products p
   LEFT JOIN (SELECT product_id, sum(delivered) AS delivered, sum(orders) AS orders FROM placement_figures
              WHERE merchant_id = :merchantId AND day = '' AND product_id > 0 GROUP BY product_id) AS f
     ON f.product_id = p.internal_id
   WHERE p.merchant_id = :merchantId AND p.campaign_name IS NOT NULL
   GROUP BY p.category_1, p.category_2`,
  { offLoop: true },
);

/** Finds a placement whose outcome is not known, of any merchant. */
export const findReserved = statement<unknown, { merchant_id: number }>(
  `SELECT merchant_id FROM placements WHERE state = 'reserved' LIMIT 1`,
  { everyNode: true },
);

import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement, upsertInto } from '../../database/statement.ts';

/** The number of a merchant's products with a status and in a category; '' means any. */
export interface CountRow {
  merchant_id: number;
  status: string;
  category: string;
  products: number;
}

export const addToCount = statement<CountRow, never>(
  `INSERT INTO product_counts (merchant_id, status, category, products)
   VALUES (:merchant_id, :status, :category, :products)
   ON CONFLICT (merchant_id, status, category)
   DO UPDATE SET products = product_counts.products + excluded.products`,
);

export const deleteEmptyCount = statement<Omit<CountRow, 'products'>, never>(
  `DELETE FROM product_counts
   WHERE merchant_id = :merchant_id AND status = :status AND category = :category AND products = 0`,
);

/** How many products name a campaign, and how many of them have a `scheduling_fee_bid`. */
export interface CampaignProductsRow {
  merchant_id: number;
  campaign_name: string;
  products: number;
  with_bid: number;
}

export const addToCampaignProducts = upsertInto<CampaignProductsRow>(
  'campaign_products',
  ['merchant_id', 'campaign_name'],
  ['products', 'with_bid'],
  `DO UPDATE SET products = campaign_products.products + excluded.products,
     with_bid = campaign_products.with_bid + excluded.with_bid`,
);

export const deleteEmptyCampaignProducts = statement<
  Pick<CampaignProductsRow, 'merchant_id' | 'campaign_name'>,
  never
>(
  `DELETE FROM campaign_products
   WHERE merchant_id = :merchant_id AND campaign_name = :campaign_name AND products = 0`,
);

/** Finds which categories are in use; for `lookUp`. */
export const findCategoryCounts = statement<Lookup<string>, Pick<CountRow, 'category' | 'products'>>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = :merchantId AND status = '' AND category IN (${namesPlaceholder})`,
);

export const countCategories = statement<{ merchantId: number }, { categories: number }>(
  `SELECT count(*) AS categories FROM product_counts
   WHERE merchant_id = :merchantId AND status = '' AND category <> ''`,
);

/** The merchant's limit, and the number of its products without deleted ones. */
export const findProductLimit = statement<
  { merchantId: number },
  { product_limit: number | null; products: number }
>(
  `SELECT c.product_limit, CAST(coalesce((
     SELECT sum(CASE WHEN p.status = '' THEN p.products ELSE -p.products END) FROM product_counts p
     WHERE p.merchant_id = :merchantId AND p.status IN ('', 'deleted') AND p.category = ''), 0) AS bigint) AS products
   FROM merchant_counters c WHERE c.merchant_id = :merchantId`,
);

/** Counts the products of merchants, without deleted ones. For lists of up to 50. */
export const countProductsOf = statement<
  { merchants: readonly number[] },
  { merchant_id: number; products: number }
>(
  `SELECT merchant_id,
     CAST(sum(CASE WHEN status = '' THEN products ELSE -products END) AS bigint) AS products
   FROM product_counts
   WHERE merchant_id IN (:merchants[50]) AND status IN ('', 'deleted') AND category = ''
   GROUP BY merchant_id`,
  { everyNode: true },
);

import { statement } from '../../database/statement.ts';
import type { ProductStatus } from '../../products/record/product.ts';

/** A record of more than `maxBytes` is null. */
export interface NamedProductRow {
  internal_id: number;
  identifier: string;
  status: ProductStatus;
  record: string | null;
}

/** Lists the products that name a campaign and are not deleted, newest first. */
export const listProductsOfCampaign = statement<
  { merchantId: number; name: string; before: number; maxBytes: number; limit: number },
  NamedProductRow
>(
  `SELECT p.internal_id, p.identifier, p.status,
     CASE WHEN octet_length(p.record) <= CAST(:maxBytes AS bigint) THEN p.record END AS record
   FROM products p
   WHERE p.merchant_id = :merchantId AND p.campaign_name = :name AND p.internal_id < :before
   ORDER BY p.internal_id DESC LIMIT CAST(:limit AS bigint)`,
);

import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';

/** A record of more than 64 KiB is null: parsing it would block the event loop. */
export const findProductsToName = statement<
  Lookup<number>,
  { internal_id: number; identifier: string; record: string | null }
>(
  `SELECT p.internal_id, p.identifier, CASE WHEN octet_length(p.record) <= 65536 THEN p.record END AS record
   FROM products p WHERE p.merchant_id = :merchantId AND p.internal_id IN (${namesPlaceholder})`,
);

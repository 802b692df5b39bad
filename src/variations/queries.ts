import { statement } from '../database/database.ts';

/** Parameters: merchant, the variation's identifier. Gives the record of the product it belongs to. */
export const findProductByVariation = statement<{ record: string }>(
  `SELECT p.record
   FROM variations v
   JOIN products p ON p.merchant_id = v.merchant_id AND p.internal_id = v.product_id
   WHERE v.merchant_id = ? AND v.identifier = ?`,
);

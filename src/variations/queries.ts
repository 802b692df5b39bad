import { type Dialect, type Statement, statement } from '../database/database.ts';

/** A variation's product, and the JSON text that begins with the variation. */
export interface VariationOfProduct {
  identifier: string;
  internal_id: number;
  /** Null if the record has more than `maxBytes`; '' if it does not contain the variation. */
  record: string | null;
}

/** The parameters of `findVariation`. */
export interface VariationParameters {
  merchantId: number;
  identifier: string;
  /** The beginning of the variation's JSON text. */
  beginning: string;
  /** The number of characters to read. */
  length: number;
  maxBytes: number;
}

/**
 * Finds a variation in its product's record; for `readWithRecord`. Returns only the part of the record that begins with
 * the variation, however many other variations there are.
 */
export function findVariation(dialect: Dialect): Statement<VariationParameters, VariationOfProduct> {
  const text = dialect.textFrom('p.record', 'CAST(:beginning AS text)', 'CAST(:length AS integer)');
  return statement(
    `SELECT p.identifier, p.internal_id,
       CASE WHEN octet_length(p.record) <= CAST(:maxBytes AS bigint) THEN coalesce(${text}, '') END AS record
     FROM variations v
     JOIN products p ON p.merchant_id = v.merchant_id AND p.internal_id = v.product_id
     WHERE v.merchant_id = :merchantId AND v.identifier = :identifier`,
  );
}

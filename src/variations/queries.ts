import { type Dialect, type Statement, statement } from '../database/database.ts';

/** A variation's product, and the JSON text that begins with the variation. */
export interface VariationRow {
  identifier: string;
  internal_id: number;
  /** Null if the record has more bytes than may be read; '' if it does not hold the variation. */
  record: string | null;
}

/**
 * Finds a variation in its product's record, for `readWithRecord`: what is read is the part of the record that begins
 * with the variation, however many others there are. Parameters: the most bytes of a record, how the variation's text
 * begins, how many characters of it to read, merchant, the variation's identifier.
 */
export function findVariation(dialect: Dialect): Statement<VariationRow> {
  const text = dialect.textFrom('p.record', 'CAST(? AS text)', 'CAST(? AS integer)');
  return statement(
    `SELECT p.identifier, p.internal_id,
       CASE WHEN octet_length(p.record) <= CAST(? AS bigint) THEN coalesce(${text}, '') END AS record
     FROM variations v
     JOIN products p ON p.merchant_id = v.merchant_id AND p.internal_id = v.product_id
     WHERE v.merchant_id = ? AND v.identifier = ?`,
  );
}

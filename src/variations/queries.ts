import type { Dialect } from '../database/database.ts';
import { type Statement, statement } from '../database/statement.ts';

interface VariationOfProduct {
  identifier: string;
  internal_id: number;
  /** Null if the record has more than `maxBytes`; '' if it does not contain the variation. */
  record: string | null;
}

interface VariationParameters {
  merchantId: number;
  identifier: string;
  beginning: string;
  /** In characters. */
  length: number;
  maxBytes: number;
}

/** For `readWithRecord`. Returns only the variation, however many others its product has. */
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

import type { Database } from '../database/database.ts';
import { parseProduct, type Variation } from '../products/product.ts';
import { findProductByVariation } from './queries.ts';

/** A variation as the API shows it by itself, its fields in wire order (contract, “Variation”). */
export interface RetrievedVariation extends Variation {
  product_identifier: string;
  product_internal_id: number;
}

/** The merchant's variation of that identifier, or undefined; another merchant's is not there. */
export async function retrieveVariation(
  { database }: { database: Database },
  merchantId: number,
  identifier: string,
): Promise<RetrievedVariation | undefined> {
  const row = await database.first(findProductByVariation, [merchantId, identifier]);
  if (row === undefined) return undefined;
  const product = parseProduct(row.record);
  const variation = product.variations.find((candidate) => candidate.identifier === identifier);
  return (
    variation && {
      product_identifier: product.identifier,
      product_internal_id: product.internal_id,
      ...variation,
    }
  );
}

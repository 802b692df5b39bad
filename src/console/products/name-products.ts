import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { Product } from '../../products/record/product.ts';
import type { ProductName } from '../catalog-api.ts';
import { findRecordsToName } from './queries.ts';

/** Resolves to the products with these identifiers that exist, in any order. */
export async function nameProducts(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  identifiers: readonly string[],
): Promise<ProductName[]> {
  const rows = await lookUp(database, findRecordsToName, merchantId, identifiers);
  return rows.map(({ record, ...product }) => {
    const fields: Pick<Product, 'title'> | null = record && JSON.parse(record);
    return { ...product, title: fields?.title ?? null };
  });
}

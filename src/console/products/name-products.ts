import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { Product } from '../../products/record/product.ts';
import type { ProductName } from '../catalog-api.ts';
import { findRecordsToName } from './queries.ts';

type DescribedProduct = ProductName & Pick<Product, 'primary_image'>;

/** Resolves to the products with these identifiers that exist, in any order. */
export async function nameProducts(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  identifiers: readonly string[],
): Promise<ProductName[]> {
  const products = await describeProducts(database, merchantId, identifiers);
  return products.map(({ primary_image: _, ...name }) => name);
}

/** As `nameProducts`, with pictures. Title and picture are null if the record is too large to read here. */
export async function describeProducts(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  identifiers: readonly string[],
): Promise<DescribedProduct[]> {
  const rows = await lookUp(database, findRecordsToName, merchantId, identifiers);
  return rows.map(({ record, ...product }) => {
    const fields: Pick<Product, 'title' | 'primary_image'> | null = record && JSON.parse(record);
    return { ...product, title: fields?.title ?? null, primary_image: fields?.primary_image ?? null };
  });
}

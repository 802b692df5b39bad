import type { Product } from './operations.ts';

/**
 * Reads pages until one is not full, and yields each product once. If the catalog changes meanwhile and a product moves
 * to a later page, it is not yielded again.
 */
export async function* everyProduct(
  perPage: number,
  listPage: (page: number) => Promise<Product[]>,
): AsyncGenerator<Product, void, undefined> {
  const seen = new Set<number>();
  for (let page = 1; ; page += 1) {
    const products = await listPage(page);
    for (const product of products) {
      if (seen.has(product.internal_id)) continue;
      seen.add(product.internal_id);
      yield product;
    }
    if (products.length < perPage) return;
  }
}

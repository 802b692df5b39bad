import type { Product } from './operations.ts';

/**
 * Goes through pages until one is not full, and gives each product once: those that a change to the catalog
 * has moved to a later page in the meantime are left out there.
 */
export async function* everyProduct(
  perPage: number,
  listPage: (page: number) => Promise<Product[]>,
): AsyncGenerator<Product, void, undefined> {
  const given = new Set<number>();
  for (let page = 1; ; page += 1) {
    const products = await listPage(page);
    for (const product of products) {
      if (given.has(product.internal_id)) continue;
      given.add(product.internal_id);
      yield product;
    }
    if (products.length < perPage) return;
  }
}

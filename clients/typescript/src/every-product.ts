import type { Product } from './operations.ts';

/**
 * Reads page after page, and yields each product once. If a product moves to a later page meanwhile, it is not yielded
 * again. `listPage` returns a page and the position after it; null at the end.
 */
export async function* everyProduct(
  listPage: (after: string | undefined) => Promise<{ products: Product[]; after: string | null }>,
): AsyncGenerator<Product, void, undefined> {
  const seen = new Set<number>();
  let position: string | undefined;
  for (;;) {
    const { products, after } = await listPage(position);
    for (const product of products) {
      if (seen.has(product.internal_id)) continue;
      seen.add(product.internal_id);
      yield product;
    }
    if (after === null) return;
    position = after;
  }
}

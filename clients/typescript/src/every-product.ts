import type { Product } from './operations.ts';

/** Yields each product once, even if it moves to a later page. `after` is null at the end. */
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

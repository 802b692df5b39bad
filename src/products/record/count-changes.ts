import type { Product } from './product.ts';
import { countersOf } from './product-row.ts';
import type { CountRow } from './queries.ts';

export class CountChanges {
  /** By status and category. */
  readonly #changes = new Map<string, Pick<Product, 'status' | 'category'> & { by: number }>();

  add({ status, category }: Product, by: number): void {
    const key = `${status}/${category}`;
    const change = this.#changes.get(key);
    if (change === undefined) this.#changes.set(key, { status, category, by });
    else change.by += by;
  }

  rows(merchantId: number): CountRow[] {
    return [...this.#changes.values()]
      .filter(({ by }) => by !== 0)
      .flatMap((change) =>
        countersOf(change).map((counter) => ({ merchant_id: merchantId, ...counter, products: change.by })),
      );
  }

  /** Returns the counters that were lowered, which may be 0 now. */
  lowered(merchantId: number): Omit<CountRow, 'products'>[] {
    return [...this.#changes.values()]
      .filter(({ by }) => by < 0)
      .flatMap((change) => countersOf(change).map((counter) => ({ merchant_id: merchantId, ...counter })));
  }
}

import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { findProductLimit } from './count-queries.ts';
import type { Product } from './product.ts';

/** How many products a merchant has while a batch of drafts is applied. Deleted ones do not count. */
export class ProductLimit {
  readonly #limit: number;
  #products: number;

  private constructor(limit: number, products: number) {
    this.#limit = limit;
    this.#products = products;
  }

  /** Resolves to undefined without a limit. The transaction must have locked the merchant. */
  static async open({ connection, merchantId }: TransactionContext): Promise<ProductLimit | undefined> {
    const row = await connection.first(findProductLimit, { merchantId });
    if (row === undefined || row.product_limit === null) return undefined;
    return new ProductLimit(row.product_limit, row.products);
  }

  check(from: Product | undefined, to: Product): Problem | undefined {
    if (countOf(to) - countOf(from) <= 0 || this.#products < this.#limit) return undefined;
    const reason =
      `the merchant may have at most ${this.#limit} products; delete some, ` +
      'or ask your marketplace operator to raise the limit';
    return { field: 'identifier', value: to.identifier, reason };
  }

  move(from: Product | undefined, to: Product): void {
    this.#products += countOf(to) - countOf(from);
  }
}

function countOf(product: Product | undefined): number {
  return product === undefined || product.deleted_at !== null ? 0 : 1;
}

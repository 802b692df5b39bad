import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { CategoryRules, type CategorySettings } from './category-rules.ts';
import type { Product } from './product.ts';
import type { ProductDraft } from './product-draft.ts';
import { ProductLimit } from './product-limit.ts';

/** What a merchant's own drafts may not exceed: its categories, and how many products it may have. */
export class MerchantLimits {
  readonly #categories: CategoryRules | undefined;
  readonly #products: ProductLimit | undefined;

  private constructor(categories: CategoryRules | undefined, products: ProductLimit | undefined) {
    this.#categories = categories;
    this.#products = products;
  }

  /** `storedOf` returns a product that is stored. The transaction must have locked the merchant. */
  static async open(
    context: TransactionContext,
    drafts: readonly ProductDraft[],
    storedOf: (identifier: string) => Product | undefined,
    settings: CategorySettings,
  ): Promise<MerchantLimits> {
    const hasRules = settings.maxCategories !== null || settings.onlyListedCategories;
    const mayCreate = drafts.some(({ identifier }) => storedOf(identifier)?.deleted_at !== null);
    const moves = drafts.flatMap(({ identifier, fields: { category } }) =>
      category === undefined ? [] : [{ from: storedOf(identifier), to: { category } }],
    );
    const [categories, products] = await Promise.all([
      hasRules ? CategoryRules.open(context, moves, settings) : undefined,
      mayCreate ? ProductLimit.open(context) : undefined,
    ]);
    return new MerchantLimits(categories, products);
  }

  /** Returns why a product may not change so. */
  check(from: Product | undefined, to: Product): Problem[] {
    const problems = [this.#categories?.check(from, to), this.#products?.check(from, to)];
    return problems.filter((problem) => problem !== undefined);
  }

  move(from: Product | undefined, to: Product): void {
    this.#categories?.move(from, to);
    this.#products?.move(from, to);
  }
}

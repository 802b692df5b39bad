import { BudgetExceeded } from '../../budgets/budgets.ts';
import { lookUp } from '../../database/look-up.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { countCategories, findCategoryCounts } from './count-queries.ts';
import type { Product } from './product.ts';
import { categoriesOf } from './product-row.ts';

export type Categorized = Pick<Product, 'category'>;

/** A product's category before and after a draft. */
export interface CategoryMove {
  from: Categorized | undefined;
  to: Categorized;
}

/** Counts the categories that a merchant uses while a batch moves products between them. */
export class CategoryBudget {
  readonly #limit: number;
  readonly #now: number;
  readonly #products: Map<string, number>;
  #inUse: number;

  private constructor(limit: number, now: number, products: Map<string, number>, inUse: number) {
    this.#limit = limit;
    this.#now = now;
    this.#products = products;
    this.#inUse = inUse;
  }

  static async open(
    { connection, merchantId, now }: TransactionContext,
    moves: readonly CategoryMove[],
    limit: number,
  ): Promise<CategoryBudget> {
    const changed = moves.filter(({ from, to }) => (from?.category ?? null) !== to.category);
    const names = [
      ...new Set(changed.flatMap(({ from, to }) => [...categoriesOf(from), ...categoriesOf(to)])),
    ];
    const rows = await lookUp(connection, findCategoryCounts, merchantId, names);
    const products = new Map(rows.map(({ category, products: count }) => [category, count]));
    const hasNewCategory = names.some((name) => !products.has(name));
    // Without a new category, the batch cannot exceed the limit.
    const row = hasNewCategory ? await connection.first(countCategories, { merchantId }) : undefined;
    return new CategoryBudget(limit, now, products, row?.categories ?? 0);
  }

  check(from: Categorized | undefined, to: Categorized): Problem | undefined {
    const added = this.#addedCategories(from, to);
    if (added <= 0 || this.#inUse + added <= this.#limit) return undefined;
    const advice = 'Use existing categories.';
    const { message } = new BudgetExceeded('categories', this.#limit, { now: this.#now, advice });
    return { field: 'category', value: to.category, reason: message };
  }

  move(from: Categorized | undefined, to: Categorized): void {
    this.#inUse += this.#addedCategories(from, to);
    for (const [name, by] of changes(from, to))
      this.#products.set(name, (this.#products.get(name) ?? 0) + by);
  }

  /** Negative if a move leaves fewer categories in use. */
  #addedCategories(from: Categorized | undefined, to: Categorized): number {
    let added = 0;
    for (const [name, by] of changes(from, to)) {
      const before = this.#products.get(name) ?? 0;
      if (before === 0 && by > 0) added += 1;
      if (before + by === 0 && by < 0) added -= 1;
    }
    return added;
  }
}

function changes(from: Categorized | undefined, to: Categorized): [string, number][] {
  if ((from?.category ?? null) === to.category) return [];
  const [left, entered] = [categoriesOf(from), categoriesOf(to)];
  return [
    ...left.filter((name) => !entered.includes(name)).map((name): [string, number] => [name, -1]),
    ...entered.filter((name) => !left.includes(name)).map((name): [string, number] => [name, 1]),
  ];
}

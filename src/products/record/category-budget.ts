import { BudgetExceeded } from '../../budgets/budgets.ts';
import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { Problem } from '../../imports/parsed.ts';
import type { Product } from './product.ts';
import { categoriesOf } from './product-values.ts';
import { countCategories, findCategoryCounts } from './queries.ts';

type Categorized = Pick<Product, 'category'>;

/** Where a product is before a draft, and where the draft wants it. */
export interface CategoryMove {
  from: Categorized | undefined;
  to: Categorized;
}

/** Follows how many categories a merchant has in use while a batch moves products between them. */
export class CategoryBudget {
  readonly #limit: number;
  readonly #now: number;
  /** Products in each category that the batch names. */
  readonly #products: Map<string, number>;
  #inUse: number;

  private constructor(limit: number, now: number, products: Map<string, number>, inUse: number) {
    this.#limit = limit;
    this.#now = now;
    this.#products = products;
    this.#inUse = inUse;
  }

  /** Reads what the moves of a batch need, and nothing where none leads to another category. */
  static async open(
    connection: Connection,
    merchantId: number,
    moves: readonly CategoryMove[],
    { limit, now }: { limit: number; now: number },
  ): Promise<CategoryBudget> {
    const real = moves.filter(({ from, to }) => (from?.category ?? null) !== to.category);
    const names = [...new Set(real.flatMap(({ from, to }) => [...categoriesOf(from), ...categoriesOf(to)]))];
    const rows = await lookUp(connection, findCategoryCounts, merchantId, names);
    const products = new Map(rows.map(({ category, products: count }) => [category, count]));
    const addsSome = names.some((name) => !products.has(name));
    // Without a new category, the batch cannot use more than are in use now.
    const row = addsSome ? await connection.first(countCategories, [merchantId]) : undefined;
    return new CategoryBudget(limit, now, products, row?.categories ?? 0);
  }

  /** Why a product may not move: it would use a category more than the limit. */
  check(from: Categorized | undefined, to: Categorized): Problem | undefined {
    const more = this.#moreInUse(from, to);
    if (more <= 0 || this.#inUse + more <= this.#limit) return undefined;
    const advice = 'Use categories that exist already.';
    const { message } = new BudgetExceeded('categories', this.#limit, { now: this.#now, advice });
    return { column: 'category', value: to.category, reason: message };
  }

  /** Notes a move that takes place. */
  move(from: Categorized | undefined, to: Categorized): void {
    this.#inUse += this.#moreInUse(from, to);
    for (const [name, by] of changes(from, to))
      this.#products.set(name, (this.#products.get(name) ?? 0) + by);
  }

  #moreInUse(from: Categorized | undefined, to: Categorized): number {
    let more = 0;
    for (const [name, by] of changes(from, to)) {
      const before = this.#products.get(name) ?? 0;
      if (before === 0 && by > 0) more += 1;
      if (before + by === 0 && by < 0) more -= 1;
    }
    return more;
  }
}

/** By how many products each category changes, where it does. */
function changes(from: Categorized | undefined, to: Categorized): [string, number][] {
  if ((from?.category ?? null) === to.category) return [];
  const [left, entered] = [categoriesOf(from), categoriesOf(to)];
  return [
    ...left.filter((name) => !entered.includes(name)).map((name): [string, number] => [name, -1]),
    ...entered.filter((name) => !left.includes(name)).map((name): [string, number] => [name, 1]),
  ];
}

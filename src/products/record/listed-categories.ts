import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { runInSteps } from '../../database/run-in-steps.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import type { Categorized, CategoryMove } from './category-budget.ts';
import {
  deleteListedCategories,
  findAnyListedCategory,
  findListedCategories,
  insertListedCategory,
} from './queries.ts';

const REASON = 'expected one of the marketplace’s categories, which GET metadata/categories lists';

/** Limits a merchant's drafts to the categories that the operator has set. */
export class ListedCategories {
  /** Of the categories that the drafts state. */
  readonly #listed: ReadonlySet<string>;

  private constructor(listed: ReadonlySet<string>) {
    this.#listed = listed;
  }

  /** Undefined if no draft states a category that it may not: then nothing has to be checked. */
  static async open(
    { connection, merchantId }: TransactionContext,
    moves: readonly CategoryMove[],
  ): Promise<ListedCategories | undefined> {
    if (moves.every(({ from, to }) => (from?.category ?? null) === to.category)) return undefined;
    // Also categories that products have: an earlier draft of the batch may have changed them.
    const stated = [...new Set(moves.flatMap(({ to }) => (to.category === null ? [] : [to.category])))];
    const rows = await lookUp(connection, findListedCategories, merchantId, stated);
    if (rows.length === stated.length) return undefined;
    const isRestricted = rows.length > 0 || (await connection.first(findAnyListedCategory)) !== undefined;
    return isRestricted ? new ListedCategories(new Set(rows.map(({ category }) => category))) : undefined;
  }

  /** A product keeps the category that it has, and may lose it. */
  check(from: Categorized | undefined, { category }: Categorized): Problem | undefined {
    if (category === null || category === from?.category || this.#listed.has(category)) return undefined;
    return { field: 'category', value: category, reason: REASON };
  }
}

/** Replaces the categories that merchants may state; without any, they may state all. */
export async function setListedCategories(
  connection: Connection,
  categories: readonly string[],
): Promise<void> {
  await connection.run(deleteListedCategories);
  const rows = categories.map((category) => ({ category }));
  await runInSteps(connection, insertListedCategory, rows);
}

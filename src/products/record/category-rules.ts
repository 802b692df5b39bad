import type { TransactionContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { type Categorized, CategoryBudget, type CategoryMove } from './category-budget.ts';
import { ListedCategories } from './listed-categories.ts';

export interface CategorySettings {
  /** The number of categories that a merchant may use; null for any. */
  maxCategories: number | null;
  /** Whether merchants may state only categories that the operator has set, once it has set some. */
  onlyListedCategories: boolean;
}

/** Which categories one merchant's products may get while a batch of drafts is applied. */
export class CategoryRules {
  readonly #budget: CategoryBudget | undefined;
  readonly #listed: ListedCategories | undefined;

  private constructor(budget: CategoryBudget | undefined, listed: ListedCategories | undefined) {
    this.#budget = budget;
    this.#listed = listed;
  }

  static async open(
    context: TransactionContext,
    moves: readonly CategoryMove[],
    { maxCategories, onlyListedCategories }: CategorySettings,
  ): Promise<CategoryRules> {
    const [budget, listed] = await Promise.all([
      maxCategories === null ? undefined : CategoryBudget.open(context, moves, maxCategories),
      onlyListedCategories ? ListedCategories.open(context, moves) : undefined,
    ]);
    return new CategoryRules(budget, listed);
  }

  check(from: Categorized | undefined, to: Categorized): Problem | undefined {
    return this.#listed?.check(from, to) ?? this.#budget?.check(from, to);
  }

  move(from: Categorized | undefined, to: Categorized): void {
    this.#budget?.move(from, to);
  }
}

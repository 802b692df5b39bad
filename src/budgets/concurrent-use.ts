import { Tally } from '../shared/tally.ts';
import { BudgetExceeded, type BudgetName } from './budgets.ts';

/** Counts what each merchant uses of a budget at this moment, in this process. */
export class ConcurrentUse {
  readonly #budget: BudgetName;
  readonly #limit: number | null;
  readonly #used = new Tally<number>();

  /** `limit` is null for no limit. */
  constructor(budget: BudgetName, limit: number | null) {
    this.#budget = budget;
    this.#limit = limit;
  }

  /** Whether a merchant has used all of its budget. */
  isUsedUp(merchantId: number): boolean {
    return this.#limit !== null && this.#used.of(merchantId) >= this.#limit;
  }

  /** @throws {BudgetExceeded} if a merchant has used all of its budget */
  requireLeft(merchantId: number): void {
    if (this.#limit !== null && this.isUsedUp(merchantId)) {
      throw new BudgetExceeded(this.#budget, this.#limit);
    }
  }

  /** Counts an amount until the function that it returns is called, which has to happen once. Never refuses. */
  hold(merchantId: number, amount = 1): () => void {
    this.#used.add(merchantId, amount);
    return () => this.#used.take(merchantId, amount);
  }
}

import { Tally } from '../shared/tally.ts';
import { BudgetExceeded, type BudgetName } from './budgets.ts';

/** Counts each merchant's current use of a budget in this process. */
export class ConcurrentUse {
  readonly #budget: BudgetName;
  readonly #limit: number | null;
  readonly #used = new Tally<number>();

  /** Null is unlimited. */
  constructor(budget: BudgetName, limit: number | null) {
    this.#budget = budget;
    this.#limit = limit;
  }

  isUsedUp(merchantId: number): boolean {
    return this.#limit !== null && this.#used.of(merchantId) >= this.#limit;
  }

  /** @throws {BudgetExceeded} if a merchant has used up its budget */
  requireRemaining(merchantId: number): void {
    if (this.#limit !== null && this.isUsedUp(merchantId)) {
      throw new BudgetExceeded(this.#budget, this.#limit);
    }
  }

  /** Counts an amount until the returned function is called, exactly once. Ignores the limit. */
  hold(merchantId: number, amount = 1): () => void {
    this.#used.add(merchantId, amount);
    return () => this.#used.subtract(merchantId, amount);
  }
}

import { BudgetExceeded, type BudgetName } from './budgets.ts';

/** Counts what each merchant uses of a budget at this moment, in this process. */
export class ConcurrentUse {
  readonly #budget: BudgetName;
  readonly #limit: number | null;
  readonly #used = new Map<number, number>();

  /** `limit` is null for no limit. */
  constructor(budget: BudgetName, limit: number | null) {
    this.#budget = budget;
    this.#limit = limit;
  }

  /** Whether a merchant has used all of its budget. */
  isUsedUp(merchantId: number): boolean {
    return this.#limit !== null && (this.#used.get(merchantId) ?? 0) >= this.#limit;
  }

  /** @throws {BudgetExceeded} if a merchant has used all of its budget */
  requireLeft(merchantId: number): void {
    if (this.#limit !== null && this.isUsedUp(merchantId)) {
      throw new BudgetExceeded(this.#budget, this.#limit);
    }
  }

  /** Counts an amount until the function that it returns is called, which has to happen once. Never refuses. */
  hold(merchantId: number, amount = 1): () => void {
    this.#used.set(merchantId, (this.#used.get(merchantId) ?? 0) + amount);
    return () => {
      const left = (this.#used.get(merchantId) ?? 0) - amount;
      if (left > 0) this.#used.set(merchantId, left);
      else this.#used.delete(merchantId);
    };
  }
}

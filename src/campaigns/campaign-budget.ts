import { BudgetExceeded, type Budgets, DAY_MS } from '../budgets/budgets.ts';
import { countByName } from '../budgets/count-by-name.ts';
import { SharedLimit } from '../budgets/shared-limit.ts';
import type { Database } from '../database/database.ts';

interface CampaignBudgetOptions {
  database: Database;
  budgets: Budgets;
  budget: CampaignBudgetName;
  now: () => number;
  /** The shared count is unavailable. Until it is available again, this process counts alone. */
  onError: (error: unknown) => void;
}

type CampaignBudgetName = 'campaigns_per_day' | 'campaign_changes_per_day';

/** What is left of a merchant's budget for today. Plain data. */
export interface BudgetLeft {
  budget: CampaignBudgetName;
  perDay: number;
  isLeft: boolean;
}

/** What verbs that write campaigns need in addition to a `WriteContext`. */
export interface CampaignNeeds {
  /** Null without a limit, and for the operator. */
  budget: BudgetLeft | null;
}

/** @throws {BudgetExceeded} if the merchant has used up today's budget */
export function requireLeft({ budget, now }: CampaignNeeds & { now: number }): void {
  if (budget !== null && !budget.isLeft) throw new BudgetExceeded(budget.budget, budget.perDay, { now });
}

/**
 * The daily budget of campaigns, or of their changes. Processes share its count as they share the counts of
 * rate limits: if each write updated a row, writes would wait for each other. Each process can exceed the
 * budget by a fiftieth.
 */
export class CampaignBudget {
  readonly #limit: SharedLimit;
  readonly #budget: CampaignBudgetName;
  readonly #perDay: number | null;

  constructor({ database, budgets, budget, now, onError }: CampaignBudgetOptions) {
    this.#budget = budget;
    this.#perDay = budgets[budget];
    this.#limit = new SharedLimit({
      name: budget,
      limit: this.#perDay,
      windowMs: DAY_MS,
      add: countByName(database, DAY_MS),
      now,
      onError,
    });
  }

  /**
   * Counts one, and gives it back if `write` throws or changes nothing. `write` must call `requireLeft`
   * before a change.
   */
  async count<Result extends { isChange: boolean }>(
    merchantId: number,
    write: (budget: BudgetLeft | null) => Promise<Result>,
  ): Promise<Result> {
    const perDay = this.#perDay;
    if (perDay === null) return await write(null);
    const key = `${this.#budget} of merchant ${merchantId}`;
    const isLeft = this.#limit.takeWithoutWaiting(key, key) === 0;
    let isChange = false;
    try {
      const result = await write({ budget: this.#budget, perDay, isLeft });
      ({ isChange } = result);
      return result;
    } finally {
      if (isLeft && !isChange) this.#limit.giveBack(key);
    }
  }
}

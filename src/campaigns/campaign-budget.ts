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

/** What verbs that write campaigns need in addition to a `WriteContext`. */
export interface CampaignNeeds {
  budget: Pick<CampaignBudget, 'count'>;
}

/** For the operator. */
export const unlimited: CampaignNeeds['budget'] = { count: (_, write) => write() };

/**
 * The daily budget of campaigns, or of their changes. All processes share its count like the counts of rate
 * limits: writes would wait for each other to update a row. Each process may exceed the budget by a fiftieth
 * before others know.
 */
export class CampaignBudget {
  readonly #limit: SharedLimit;
  readonly #budget: CampaignBudgetName;
  readonly #perDay: number | null;
  readonly #now: () => number;

  constructor({ database, budgets, budget, now, onError }: CampaignBudgetOptions) {
    this.#budget = budget;
    this.#perDay = budgets[budget];
    this.#now = now;
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
   * Counts one before `write`, unless `write` fails. It stays counted if the transaction fails afterwards.
   * @throws {BudgetExceeded} if the merchant has used up today's budget
   */
  async count<T>(merchantId: number, write: () => Promise<T>): Promise<T> {
    const key = `${this.#budget} of merchant ${merchantId}`;
    if (this.#perDay !== null && this.#limit.takeWithoutWaiting(key, key) > 0)
      throw new BudgetExceeded(this.#budget, this.#perDay, { now: this.#now() });
    try {
      return await write();
    } catch (error) {
      this.#limit.giveBack(key);
      throw error;
    }
  }
}

import { BudgetExceeded, type Budgets, DAY_MS } from '../budgets/budgets.ts';
import { countByName } from '../budgets/count-by-name.ts';
import { SharedLimit } from '../budgets/shared-limit.ts';
import type { Database } from '../database/database.ts';

/** The options of a `CampaignBudget`. */
interface CampaignBudgetOptions {
  database: Database;
  budgets: Budgets;
  /** Which of the budgets this is. */
  budget: CampaignBudgetName;
  now: () => number;
  /** Called if the shared count is unavailable; until it is available again, this process counts alone. */
  onError: (error: unknown) => void;
}

type CampaignBudgetName = 'campaigns_per_day' | 'campaign_changes_per_day';

/**
 * The daily budget of campaigns, or of their changes. All processes share its count, as they share the counts of the
 * rate limits. The count is not a row per merchant, because writes would wait for each other to update it. The price is
 * that each process may allow up to a fiftieth of the budget before the others know about it.
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
   * Runs `write`, which has to call `countOne` before it writes, but not if an earlier request did that. If `write` fails,
   * nothing is counted.
   * @throws {BudgetExceeded} from `countOne`, if the merchant has used up today's budget
   */
  async count<T>(merchantId: number, write: (countOne: () => void) => Promise<T>): Promise<T> {
    const key = `${this.#budget} of merchant ${merchantId}`;
    let isCounted = false;
    const countOne = (): void => {
      // A retried transaction writes once, so it is counted only once.
      if (isCounted) return;
      if (this.#perDay !== null && this.#limit.takeWithoutWaiting(key, key) > 0) {
        throw new BudgetExceeded(this.#budget, this.#perDay, { now: this.#now() });
      }
      isCounted = true;
    };
    try {
      return await write(countOne);
    } catch (error) {
      if (isCounted) this.#limit.giveBack(key);
      throw error;
    }
  }
}

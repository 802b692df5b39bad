import { BudgetExceeded, type Budgets, DAY_MS } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import { LeasedLimit } from '../http/rate-limits/leased-limit.ts';
import { countByName } from '../http/rate-limits/limits.ts';

/** The options of a `CampaignBudget`. */
interface CampaignBudgetOptions {
  database: Database;
  budgets: Pick<Budgets, 'campaigns_per_day'>;
  now: () => number;
  /** Called if the shared count is unavailable; until it is available again, this process counts alone. */
  onError: (error: unknown) => void;
}

/**
 * The daily budget of campaigns. All processes share its count, as they share the counts of the rate limits. The count is
 * not a row per merchant, because creations would wait for each other to update it. The price is that each process may
 * allow up to a fiftieth of the budget before the others know about it.
 */
export class CampaignBudget {
  readonly #limit: LeasedLimit;
  readonly #perDay: number | null;
  readonly #now: () => number;

  constructor({ database, budgets, now, onError }: CampaignBudgetOptions) {
    this.#perDay = budgets.campaigns_per_day;
    this.#now = now;
    this.#limit = new LeasedLimit({
      name: 'campaigns_per_day',
      limit: this.#perDay,
      windowMs: DAY_MS,
      add: countByName(database, DAY_MS),
      now,
      onError,
    });
  }

  /**
   * Runs `create`, which has to call `countOne` before it creates a campaign, but not if an earlier request created it.
   * If `create` fails, nothing is counted.
   * @throws {BudgetExceeded} from `countOne`, if the merchant has used up today's budget
   */
  async count<T>(merchantId: number, create: (countOne: () => void) => Promise<T>): Promise<T> {
    const key = `campaigns of merchant ${merchantId}`;
    let isCounted = false;
    const countOne = (): void => {
      // A retried transaction creates only one campaign, so it is counted only once.
      if (isCounted) return;
      if (this.#perDay !== null && this.#limit.takeWithoutWaiting(key, key) > 0) {
        throw new BudgetExceeded('campaigns_per_day', this.#perDay, { now: this.#now() });
      }
      isCounted = true;
    };
    try {
      return await create(countOne);
    } catch (error) {
      if (isCounted) this.#limit.giveBack(key);
      throw error;
    }
  }
}

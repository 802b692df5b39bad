import { BudgetExceeded, type Budgets, DAY_MS } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import { LeasedLimit } from '../http/rate-limits/leased-limit.ts';
import { countByName } from '../http/rate-limits/limits.ts';

/** What counts the campaigns of each merchant. */
interface CampaignBudgetOptions {
  database: Database;
  budgets: Pick<Budgets, 'campaigns_per_day'>;
  now: () => number;
  /** Told of a common count that could not be reached; meanwhile this process counts alone. */
  onError: (error: unknown) => void;
}

/**
 * The daily budget of campaigns, counted in common by all processes as request limits are: a row of the merchant that
 * every creation updates would make them wait for each other. In exchange, each process may allow up to a
 * fiftieth of the budget that the others do not know about.
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
   * Runs `create`, which has to call `take` before it creates a campaign: never for one that was created before. If
   * `create` fails, nothing is counted.
   * @throws {BudgetExceeded} from `take`, if the merchant has used up today's budget
   */
  async count<T>(merchantId: number, create: (take: () => void) => Promise<T>): Promise<T> {
    const key = `campaigns of merchant ${merchantId}`;
    let taken = false;
    const take = (): void => {
      // A transaction that is tried again creates one campaign.
      if (taken) return;
      if (this.#perDay !== null && this.#limit.takeWithoutWaiting(key, key) > 0) {
        throw new BudgetExceeded('campaigns_per_day', this.#perDay, { now: this.#now() });
      }
      taken = true;
    };
    try {
      return await create(take);
    } catch (error) {
      if (taken) this.#limit.giveBack(key);
      throw error;
    }
  }
}

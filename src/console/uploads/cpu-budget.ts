import type { Budgets } from '../../budgets/budgets.ts';
import { recordBudgetUse, requireBudgetLeft } from '../../budgets/daily-budget.ts';
import type { Connection, Database } from '../../database/database.ts';
import type { Turn } from './job-scheduler.ts';

const BUDGET = 'import_cpu_seconds_per_day';

/** Takes the CPU time of a job from its merchant's budget, in whole seconds. */
export class CpuUse {
  readonly #services: { database: Database; budgets: Budgets; now: () => number; turn: Turn };
  readonly #merchantId: number;
  #noted = 0;

  constructor(
    services: { database: Database; budgets: Budgets; now: () => number; turn: Turn },
    { merchantId }: { merchantId: number },
  ) {
    this.#services = services;
    this.#merchantId = merchantId;
  }

  /** Notes every full second so far. @throws {BudgetExceeded} once the budget is used up */
  async note(): Promise<void> {
    const seconds = Math.floor(this.#services.turn.cpuSeconds - this.#noted);
    if (seconds === 0) return;
    const { database, budgets, now } = this.#services;
    await database.transaction((connection) => this.#add(connection, seconds));
    this.#noted += seconds;
    await requireBudgetLeft(database, budgets, { merchantId: this.#merchantId, budget: BUDGET }, now());
  }

  /** Notes what is left when the job ends, rounded up, in the transaction that ends it. */
  async noteRest(connection: Connection): Promise<void> {
    await this.#add(connection, Math.max(1, Math.ceil(this.#services.turn.cpuSeconds - this.#noted)));
  }

  async #add(connection: Connection, amount: number): Promise<void> {
    const use = { merchantId: this.#merchantId, budget: BUDGET, amount } as const;
    await recordBudgetUse(connection, use, this.#services.now());
  }
}

import type { Budgets } from '../budgets/budgets.ts';
import { recordBudgetUse, requireBudgetLeft } from '../budgets/daily-budget.ts';
import type { Connection, Database } from '../database/database.ts';
import type { JobSlot } from './job-slot.ts';

const BUDGET = 'import_cpu_seconds_per_day';

interface Services {
  database: Database;
  budgets: Budgets;
  now: () => number;
  slot: JobSlot;
}

/** In whole seconds. */
export class CpuBudget {
  readonly #services: Services;
  readonly #merchantId: number;
  #recordedSeconds = 0;

  constructor(services: Services, { merchantId }: { merchantId: number }) {
    this.#services = services;
    this.#merchantId = merchantId;
  }

  /**
   * Records the full seconds used so far.
   * @throws {BudgetExceeded} if the budget is used up
   */
  async record(): Promise<void> {
    const seconds = Math.floor(this.#services.slot.cpuSeconds - this.#recordedSeconds);
    if (seconds === 0) return;
    const { database, budgets, now } = this.#services;
    const merchantId = this.#merchantId;
    await database.transaction((connection) => this.#add(connection, seconds), { merchantId });
    this.#recordedSeconds += seconds;
    await requireBudgetLeft(database, budgets, { merchantId: this.#merchantId, budget: BUDGET }, now());
  }

  /** Records the remaining CPU time, at least one second, in the transaction that ends the job. */
  async recordRest(connection: Connection): Promise<void> {
    const rest = Math.ceil(this.#services.slot.cpuSeconds - this.#recordedSeconds);
    await this.#add(connection, Math.max(1, rest));
  }

  async #add(connection: Connection, amount: number): Promise<void> {
    const use = { merchantId: this.#merchantId, budget: BUDGET, amount } as const;
    await recordBudgetUse(connection, use, this.#services.now());
  }
}

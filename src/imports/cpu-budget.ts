import { SERVICE } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { recordBudgetUse, requireBudgetLeft } from '../budgets/daily-budget.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
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
    await runVerb(this.#services, { merchantId, who: SERVICE }, addCpuSeconds, seconds);
    this.#recordedSeconds += seconds;
    await requireBudgetLeft(database, budgets, { merchantId, budget: BUDGET }, now());
  }

  /** Records the remaining CPU time, at least one second, in the transaction that ends the job. */
  async recordRest(context: WriteContext): Promise<void> {
    const rest = Math.ceil(this.#services.slot.cpuSeconds - this.#recordedSeconds);
    await addCpuSeconds(context, Math.max(1, rest));
  }
}

/** Counts CPU time of imports in today's budget. Ignores the limit. */
export async function addCpuSeconds(context: WriteContext, amount: number): Promise<void> {
  await recordBudgetUse(context, { budget: BUDGET, amount });
}

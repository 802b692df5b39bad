import { getPriority, setPriority } from 'node:os';
import type { BudgetName, Budgets } from '../../budgets/budgets.ts';
import type { Database } from '../../database/database.ts';
import { type DatabaseSettings, openDatabase } from '../../database/open-database.ts';
import { type Job, runJob } from './run-job.ts';
import { Turns } from './job-scheduler.ts';

/** What this process receives: first how to begin, then each job. */
export type Order =
  | { kind: 'begin'; settings: DatabaseSettings; budgets: Budgets }
  | { kind: 'job'; job: Job };

/** What this process reports. `alive` comes every second unless one step of a job takes longer. */
export type Report =
  | { kind: 'alive' }
  | { kind: 'turn'; id: string; state: Job['state'] }
  | { kind: 'ended'; id: string; state: Job['state']; exceeded: BudgetName | undefined; error: unknown };

/** How many `nice` levels this process is below the serving one, which has priority. */
const LOWER_BY = 10;
const LOWEST = 19;
const ALIVE_MS = 1_000;

setPriority(Math.min(getPriority() + LOWER_BY, LOWEST));
// Ctrl-C reaches every process of the terminal. When to stop is for the one that serves to say.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async (first: Order) => {
  if (first.kind !== 'begin') return;
  setInterval(() => report({ kind: 'alive' }), ALIVE_MS);
  const turns = new Turns();
  const opened = openDatabase(first.settings, Date.now());
  process.on('message', async (order: Order) => {
    if (order.kind === 'job') await work(await opened, first.budgets, turns, order.job);
  });
  await opened;
});

async function work(database: Database, budgets: Budgets, turns: Turns, job: Job): Promise<void> {
  const { id, state } = job;
  const turn = turns.of(job.merchantId, () => report({ kind: 'turn', id, state }));
  await turn.begin();
  try {
    const exceeded = await runJob({ database, budgets, now: Date.now, turn }, job);
    report({ kind: 'ended', id, state, exceeded, error: undefined });
  } catch (error) {
    report({ kind: 'ended', id, state, exceeded: undefined, error });
  } finally {
    turn.end();
  }
}

function report(report: Report): void {
  // If the serving process is gone, `disconnect` ends this one.
  process.send?.(report, undefined, undefined, () => {});
}

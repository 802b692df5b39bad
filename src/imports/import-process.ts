import { getPriority, setPriority } from 'node:os';
import type { BudgetName, Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import { type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { JobScheduler } from './job-scheduler.ts';
import { type Job, runJob } from './run-job.ts';

/** First the settings, then each job. */
export type ImportCommand =
  | { kind: 'start'; settings: DatabaseSettings; budgets: Budgets }
  | { kind: 'job'; job: Job };

/** `alive` is sent every second, unless a job blocks the event loop for longer. */
export type Report =
  | { kind: 'alive' }
  | { kind: 'turn'; id: string; state: Job['state'] }
  | { kind: 'ended'; id: string; state: Job['state']; exceeded: BudgetName | undefined; error: unknown };

/** In `nice` levels: the server has priority. */
const LOWER_BY = 10;
const LOWEST = 19;
const ALIVE_MS = 1_000;

setPriority(Math.min(getPriority() + LOWER_BY, LOWEST));
// Ctrl-C signals all processes of the terminal, but the server decides when this one stops.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async (first: ImportCommand) => {
  if (first.kind !== 'start') return;
  setInterval(() => report({ kind: 'alive' }), ALIVE_MS);
  const scheduler = new JobScheduler();
  const opened = openDatabase(first.settings, Date.now());
  process.on('message', async (command: ImportCommand) => {
    if (command.kind === 'job') await run(await opened, first.budgets, scheduler, command.job);
  });
  await opened;
});

async function run(database: Database, budgets: Budgets, scheduler: JobScheduler, job: Job): Promise<void> {
  const { id, state } = job;
  const slot = scheduler.slotFor(job.merchantId, () => report({ kind: 'turn', id, state }));
  await slot.acquire();
  try {
    const exceeded = await runJob({ database, budgets, now: Date.now, slot }, job);
    report({ kind: 'ended', id, state, exceeded, error: undefined });
  } catch (error) {
    report({ kind: 'ended', id, state, exceeded: undefined, error });
  } finally {
    slot.release();
  }
}

function report(report: Report): void {
  // If the server is gone, `disconnect` ends this process.
  process.send?.(report, undefined, undefined, () => {});
}

import { getPriority, setPriority } from 'node:os';
import type { BudgetName, Budgets } from '../budgets/budgets.ts';
import type { Database } from '../database/database.ts';
import { type DatabaseSettings, openDatabase } from '../database/open-database.ts';
import { FairQueue } from '../shared/fair-queue.ts';
import type { LineStream, StreamOutcome } from './import-stream.ts';
import { JobSlot } from './job-slot.ts';
import type { Job } from './run-job.ts';

/** All commands to a process have the same settings. A stream's lines follow on the standard input. */
export type ImportCommand = { settings: DatabaseSettings } & (
  | { kind: 'file'; budgets: Budgets; job: Job }
  | { kind: 'stream'; stream: LineStream }
);

/** `alive` is sent every second, unless an import blocks the event loop for longer. */
export type Report =
  | { kind: 'alive' }
  | { kind: 'turn'; id: string; state: Job['state'] }
  | { kind: 'ended'; id: string; state: Job['state']; exceeded: BudgetName | undefined; error: unknown }
  | { kind: 'streamed'; outcome: StreamOutcome };

/** In `nice` levels: the server has priority. */
const LOWER_BY = 10;
const LOWEST = 19;
const ALIVE_MS = 1_000;

setPriority(Math.min(getPriority() + LOWER_BY, LOWEST));
// Ctrl-C signals all processes of the terminal, but the server decides when this one stops.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', (first: ImportCommand) => {
  setInterval(() => report({ kind: 'alive' }), ALIVE_MS);
  const queue = new FairQueue({ maxRunning: 1 });
  const opened = openDatabase(first.settings, Date.now());
  const carryOut = async (command: ImportCommand): Promise<void> => {
    if (command.kind === 'file') {
      await run(await opened, command.budgets, queue, command.job);
      return;
    }
    // Loading what both kinds need would delay a stream by 25 ms.
    const { importStream } = await import('./import-stream.ts');
    report({ kind: 'streamed', outcome: await importStream(opened, process.stdin, command.stream) });
  };
  process.on('message', carryOut);
  void carryOut(first);
});

async function run(database: Database, budgets: Budgets, queue: FairQueue, job: Job): Promise<void> {
  const { runJob } = await import('./run-job.ts');
  const { id, state } = job;
  const slot = new JobSlot(queue, job.merchantId, () => report({ kind: 'turn', id, state }));
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

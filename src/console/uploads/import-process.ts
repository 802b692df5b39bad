import { constants, setPriority } from 'node:os';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { type Job, runJob } from './run-job.ts';

/** What this process is told, once. */
export interface Order {
  settings: DatabaseSettings;
  job: Job;
}

// Whoever serves comes first.
setPriority(constants.priority.PRIORITY_LOW);
// Ctrl-C reaches every process of the terminal. When to stop is for the one that serves to say.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async ({ settings, job }: Order) => {
  const database = await openDatabase(settings, Date.now());
  await runJob({ database, now: Date.now }, job);
  await database.close();
  process.exit(0);
});

import { getPriority, setPriority } from 'node:os';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { type Job, runJob } from './run-job.ts';

/** What this process is told, once. */
export interface Order {
  settings: DatabaseSettings;
  job: Job;
}

/** Steps of `nice` between this process and the one that serves, which comes first. */
const LOWER_BY = 10;
const LOWEST = 19;

setPriority(Math.min(getPriority() + LOWER_BY, LOWEST));
// Ctrl-C reaches every process of the terminal. When to stop is for the one that serves to say.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(1));
process.once('message', async ({ settings, job }: Order) => {
  const database = await openDatabase(settings, Date.now());
  await runJob({ database, now: Date.now }, job);
  await database.close();
  process.exit(0);
});

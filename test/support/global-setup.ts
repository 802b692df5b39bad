import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { seed } from './seed.ts';

/** A cache of compiled code for every process of a run: commands then start in a third of the CPU time. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compile');

let server: PostgresServer | undefined;

/** Runs before all tests: starts the PostgreSQL server that they share, unless the environment names one. */
export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // All files of the run use the same seed.
  process.env.SEED ??= String(seed);
  if (process.env.TEST_DATABASE_URL || process.env.TEST_ENGINES === 'sqlite') return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

/** Runs after all tests, even if they failed or were interrupted. */
export async function globalTeardown(): Promise<void> {
  await server?.stop();
}

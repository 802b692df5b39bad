import { join } from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { seed } from './seed.ts';

/** Where every process of a run keeps and finds compiled code: a command then starts in a third of the CPU time. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/compile');

let server: PostgresServer | undefined;

/** Before all tests of a run: starts the server that they share, unless the environment names one. */
export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE ??= COMPILE_CACHE;
  // One for all files of the run.
  process.env.SEED ??= String(seed);
  if (process.env.TEST_DATABASE_URL || process.env.TEST_ENGINES === 'sqlite') return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

/** After all tests of a run, also where they failed or were interrupted. */
export async function globalTeardown(): Promise<void> {
  await server?.stop();
}

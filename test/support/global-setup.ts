import { type PostgresServer, startPostgres } from './postgres-server.ts';

let server: PostgresServer | undefined;

/** Before all tests of a run: starts the server that they share, unless the environment names one. */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL) return;
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

/** After all tests of a run, also where they failed or were interrupted. */
export async function globalTeardown(): Promise<void> {
  await server?.stop();
}

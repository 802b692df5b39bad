import postgres from 'postgres';
import { startPostgres } from '../../support/postgres-server.ts';
import { type Owner, temporaryDirectory } from '../../support/process.ts';
import { onDatabase } from '../../support/stored.ts';
import type { StressedSettings } from '../server.ts';
import { fill, type Sizes } from './merchants.ts';

export const engineNames = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof engineNames)[number];

/** Creates a database on this engine with all merchants; resolves to its settings. It is removed with its owner. */
export async function filledDatabase(t: Owner, engine: EngineName, sizes: Sizes): Promise<StressedSettings> {
  const settings = {
    DATA_DIR: await temporaryDirectory(t),
    DATABASE_URL: engine === 'sqlite' ? '' : await createDatabase(t),
  };
  await onDatabase(settings, (database) => fill(database, sizes));
  return settings;
}

async function createDatabase(t: Owner): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  let server = configured;
  if (server === undefined) {
    const own = await startPostgres();
    t.after(() => own.stop());
    server = own.url;
  }
  const name = `tradepost_neighbors_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
  if (configured !== undefined) t.after(() => administer(configured, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

async function administer(server: string, statement: string): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  await sql.unsafe(statement).finally(() => sql.end());
}

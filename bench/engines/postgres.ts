import { join } from 'node:path';
import postgresDriver from 'postgres';
import { cpuSecondsOf } from '../measuring/cpu-time.ts';
import { dataRoot, type Engine } from './engine.ts';
import { startPostgres } from './postgres-server.ts';

const SHOWN = ['shared_buffers', 'fsync', 'synchronous_commit', 'full_page_writes', 'jit'];

export async function postgres(): Promise<Engine> {
  const server = await startPostgres();
  const sql = postgresDriver(server.url, { max: 1, onnotice: () => {} });
  const nameOf = (database: string): string => `tradepost_bench_${database}`;
  const urlOf = (database: string): string => {
    const url = new URL(server.url);
    url.pathname = nameOf(database);
    return url.href;
  };
  const show = async (name: string): Promise<string> => (await sql.unsafe(`SHOW ${name}`))[0]?.[name];
  const drop = async (database: string): Promise<void> => {
    await sql`DROP DATABASE IF EXISTS ${sql(nameOf(database))} WITH (FORCE)`;
  };
  const shown = await Promise.all(SHOWN.map(async (name) => `${name} ${await show(name)}`));
  return {
    name: 'postgres',
    description: `PostgreSQL ${await show('server_version')} (${shown.join(', ')})`,
    settings: (database) => ({
      // On PostgreSQL, the data directory contains only the certificate.
      DATA_DIR: join(dataRoot, 'certificate'),
      DATABASE_URL: urlOf(database),
    }),
    has: async (database) =>
      (await sql`SELECT 1 FROM pg_database WHERE datname = ${nameOf(database)}`).length > 0,
    recreate: async (database) => {
      await drop(database);
      await sql`CREATE DATABASE ${sql(nameOf(database))} ENCODING 'UTF8' TEMPLATE template0`;
    },
    rename: async (database, name) => {
      await sql`ALTER DATABASE ${sql(nameOf(database))} RENAME TO ${sql(nameOf(name))}`;
    },
    drop,
    size: async (database) => {
      const [row] = await sql`SELECT pg_database_size(${nameOf(database)})::float8 AS bytes`;
      return Number(row?.bytes);
    },
    cpuSeconds: () => (server.pid === undefined ? Number.NaN : cpuSecondsOf(server.pid)),
    [Symbol.asyncDispose]: async () => {
      await sql.end();
      await server[Symbol.asyncDispose]();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { startPostgres } from './postgres-server.ts';
import { newRandom } from './seed.ts';

const ATTEMPTS = 20;
const OBJECT_IN_USE = '55006';
const random = newRandom();

/** The server of the whole run, or of this file if it runs alone. */
let serverUrl: Promise<string> | undefined;
const created: string[] = [];

/** Creates an empty database for the tests of this file; resolves to its address. */
export function createDatabase(encoding = "ENCODING 'UTF8'"): Promise<string> {
  return create(`${encoding} TEMPLATE template0`);
}

/** Creates a database with all tables for the tests of this file, if the run has a template of one; else an empty one. */
export function createMigratedDatabase(): Promise<string> {
  const { TEST_DATABASE_TEMPLATE: template } = process.env;
  return template === undefined ? createDatabase() : create(`TEMPLATE ${template}`);
}

async function create(options: string): Promise<string> {
  const name = `tradepost_test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} ${options}`);
  created.push(name);
  const url = new URL(await server());
  url.pathname = name;
  return url.href;
}

// Runs after the hooks of every test, when the databases are closed.
after(async () => {
  for (const name of created.splice(0)) await administer(`DROP DATABASE ${name} WITH (FORCE)`);
});

function server(): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  serverUrl ??= configured ? Promise.resolve(configured) : startPostgres().then(({ url }) => url);
  return serverUrl;
}

async function administer(statement: string): Promise<void> {
  const sql = postgres(await server(), { max: 1, onnotice: () => {} });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await sql.unsafe(statement);
        return;
      } catch (error) {
        // Another process may be creating a database from the same template.
        const inUse = error instanceof postgres.PostgresError && error.code === OBJECT_IN_USE;
        if (!inUse || attempt === ATTEMPTS) throw error;
        await pause(random.whole(1, 50) * attempt);
      }
    }
  } finally {
    await sql.end();
  }
}

import { after } from 'node:test';
import { administer, newDatabaseName } from './postgres-administration.ts';
import { startPostgres } from './postgres-server.ts';

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
  const name = newDatabaseName('test');
  await administer(await server(), `CREATE DATABASE ${name} ${options}`);
  created.push(name);
  const url = new URL(await server());
  url.pathname = name;
  return url.href;
}

// Runs after the hooks of every test, when the databases are closed.
after(async () => {
  for (const name of created.splice(0))
    await administer(await server(), `DROP DATABASE ${name} WITH (FORCE)`);
});

function server(): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  serverUrl ??= configured ? Promise.resolve(configured) : startPostgres().then(({ url }) => url);
  return serverUrl;
}

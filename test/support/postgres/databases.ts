import { after } from 'node:test';
import { administer, newDatabaseName } from './administration.ts';
import { connectNodes } from './citus-nodes.ts';
import { startPostgres } from './server.ts';

/** The server of the whole run, or of this file if it runs alone. */
let serverUrl: Promise<string> | undefined;
const created: string[] = [];

export function createDatabase(encoding = "ENCODING 'UTF8'"): Promise<string> {
  return create(`${encoding} TEMPLATE template0`);
}

/** With all tables if the run has a template, else empty; for the tests of this file. */
export function createMigratedDatabase(): Promise<string> {
  const { TEST_DATABASE_TEMPLATE: template } = process.env;
  return template === undefined ? createDatabase() : create(`TEMPLATE ${template}`);
}

async function create(options: string): Promise<string> {
  const name = newDatabaseName('test');
  for (const node of await nodes()) await administer(node, `CREATE DATABASE ${name} ${options}`);
  created.push(name);
  const databases = (await nodes()).map((node) => {
    const url = new URL(node);
    url.pathname = name;
    return url.href;
  });
  if (databases.length > 1) await connectNodes(databases);
  const [first = ''] = databases;
  return first;
}

// Runs after the hooks of every test, when the databases are closed.
after(async () => {
  for (const name of created.splice(0)) {
    for (const node of await nodes()) await administer(node, `DROP DATABASE ${name} WITH (FORCE)`);
  }
});

/** The server and, if it is the coordinator of a Citus cluster, its workers. */
async function nodes(): Promise<string[]> {
  const workers = process.env.TEST_CITUS_WORKERS?.split(' ') ?? [];
  return [await server(), ...workers];
}

function server(): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  serverUrl ??= configured ? Promise.resolve(configured) : startPostgres().then(({ url }) => url);
  return serverUrl;
}

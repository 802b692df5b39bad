import { after } from 'node:test';
import { newDatabaseName } from './administration.ts';
import { createOnNodes, dropOnNodes, nodesOf } from './citus-nodes.ts';
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
  created.push(name);
  return await createOnNodes(nodesOf(await server()), name, options);
}

// Runs after the hooks of every test, when the databases are closed.
after(async () => {
  for (const name of created.splice(0)) await dropOnNodes(nodesOf(await server()), name);
});

function server(): Promise<string> {
  const { TEST_DATABASE_URL: configured } = process.env;
  serverUrl ??= configured ? Promise.resolve(configured) : startPostgres().then(({ url }) => url);
  return serverUrl;
}

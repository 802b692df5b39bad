import postgres from 'postgres';
import { administer } from './administration.ts';

/** Returns the server and, for a Citus cluster's coordinator, its workers, which TEST_CITUS_WORKERS names. */
export function nodesOf(server: string): string[] {
  return [server, ...(process.env.TEST_CITUS_WORKERS?.split(' ') ?? [])];
}

/** Creates a database on every node. Resolves to its URL on the first one. */
export async function createOnNodes(
  nodes: readonly string[],
  name: string,
  options: string,
): Promise<string> {
  for (const node of nodes) await administer(node, `CREATE DATABASE ${name} ${options}`);
  const databases = nodes.map((node) => {
    const url = new URL(node);
    url.pathname = name;
    return url.href;
  });
  if (databases.length > 1) await connectNodes(databases);
  const [first = ''] = databases;
  return first;
}

export async function dropOnNodes(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) await administer(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The coordinator comes first. With `onlyWorkers`, it is part of a cluster already. */
export async function connectNodes(
  urls: readonly string[],
  { onlyWorkers = false }: { onlyWorkers?: boolean } = {},
): Promise<void> {
  const [coordinator = '', ...workers] = urls;
  for (const url of onlyWorkers ? workers : urls) {
    const { username, password } = new URL(url);
    await query(url, 'CREATE EXTENSION citus');
    await query(url, `INSERT INTO pg_dist_authinfo VALUES (0, '${username}', 'password=${password}')`);
  }
  const { hostname, port } = new URL(coordinator);
  if (!onlyWorkers) await query(coordinator, `SELECT citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) {
    const { hostname: host, port: workerPort } = new URL(worker);
    await query(coordinator, `SELECT citus_add_node('${host}', ${workerPort})`);
  }
}

/** Opens a connection for each statement. */
export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<(Row & object)[]>(statement))] as Row[];
  } finally {
    await sql.end();
  }
}

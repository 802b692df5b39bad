import postgres from 'postgres';

/**
 * Makes a database on several servers, the coordinator first, a cluster: creates the extension on each, lets each log in to
 * the others with the user of these addresses, and adds the workers to the coordinator. With `onlyWorkers`, the
 * coordinator is part of a cluster already.
 */
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

/** Runs a statement on its own connection; resolves to its rows. */
export async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<(Row & object)[]>(statement))] as Row[];
  } finally {
    await sql.end();
  }
}

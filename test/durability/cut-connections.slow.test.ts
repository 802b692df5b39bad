import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { CampaignLedger } from '../support/campaign-ledger.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { newRandom } from '../support/seed.ts';
import { campaignNames, newMerchant, onDatabase } from '../support/stored.ts';
import { until } from '../support/until.ts';

const CUTS = 30;
const CONNECTIONS = 12;
const PRODUCTS = 12_000;
const VARIATIONS = 2;

/** Closes all others, as an operator or a firewall might. Resolves to their number. */
async function cut(sql: Sql): Promise<number> {
  const rows = await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  return rows.length;
}

/** Closes connections that have written in a transaction, which no program retries. */
async function cutTransactions(sql: Sql): Promise<number> {
  const rows = await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xid IS NOT NULL
      AND backend_type = 'client backend'`;
  return rows.length;
}

it('responds 503 when a connection is lost, loses and repeats no campaign, and recovers by itself', async (t) => {
  const url = await createDatabase();
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url };
  const merchant = await newMerchant(environment);
  const server = await ServerProcess.start(t, environment);
  const ledger = new CampaignLedger(merchant.token);
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end());

  await onDatabase(environment, (database) =>
    importDrafts({ database, now: Date.now }, merchant, [[draft('POT-1')]]),
  );

  const random = newRandom();
  const statuses = new Map<number | undefined, number>();
  let cutting = true;
  const keepSending = async (send: () => Promise<ClientResponse | undefined>): Promise<void> => {
    while (cutting) {
      const response = await send();
      statuses.set(response?.status, (statuses.get(response?.status) ?? 0) + 1);
      if (response?.status === 503) assert.match(response.header('retry-after'), /^\d+$/);
    }
  };
  const create = () => ledger.request(server.client, ledger.nextName());
  const read = async (): Promise<ClientResponse | undefined> => {
    const path = `/v1/products.json?access_token=${merchant.token}&page=${random.whole(1, 2)}`;
    const response = await server.client.request('GET', path).catch(() => undefined);
    // A query whose connection was cut is never mistaken for one that found nothing.
    if (response?.status === 200) assert.equal(response.text.includes('POT-1'), path.endsWith('=1'));
    return response;
  };
  const stream = Promise.all(
    Array.from({ length: CONNECTIONS }, (_, number) => keepSending(number % 2 === 0 ? create : read)),
  );
  for (let number = 0; number < CUTS; number += 1) {
    await pause(random.whole(20, 120));
    await cut(sql);
  }
  cutting = false;
  await stream;
  t.diagnostic(`responses by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
  assert.deepEqual([...statuses.keys()].sort(), [200, 503]);

  await ledger.retry(server.client);
  ledger.check(await campaignNames(environment, merchant));
  assert.deepEqual(await server.end('SIGTERM'), [0, null]);
});

it('reports a lost connection during an import in one line, stores no incomplete product, and completes on retry', async (t) => {
  const url = await createDatabase();
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: directory, DATABASE_URL: url };
  await newMerchant(environment);
  const file = join(directory, 'products.ndjson');
  await writeFile(file, Array.from({ length: PRODUCTS }, (_, number) => line(number)).join(''));
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  t.after(() => sql.end());
  const importing = () =>
    tradepost(['import', 'products', file, '--merchant', 'Acme', '--json'], environment, { cwd: directory });

  const first = importing();
  const waiting = { timeoutMs: 120_000, intervalMs: 5 };
  await until(async () => (await sql`SELECT FROM products LIMIT 1`).length > 0, waiting);
  // During a later transaction: between two, an import continues over another connection.
  await until(async () => (await cutTransactions(sql)) > 0, waiting);
  const { status, stdout, stderr } = await first;
  assert.deepEqual([status, stdout], [1, ''], stderr);
  assert.match(stderr, /^tradepost: [^\n]*connection[^\n]*\n$/);

  const [left] = await sql`
    SELECT (SELECT count(*)::int FROM products) AS products,
      (SELECT count(*)::int FROM variations) AS variations,
      (SELECT products::int FROM product_counts WHERE status = '' AND category = '') AS counted`;
  assert.ok(left !== undefined && left.products > 0 && left.products < PRODUCTS);
  assert.deepEqual([left.variations, left.counted], [VARIATIONS * left.products, left.products]);

  const again = await importing();
  assert.equal(again.status, 0, again.stderr);
  const { created, unchanged } = JSON.parse(again.stdout);
  assert.deepEqual([created, unchanged], [PRODUCTS - left.products, left.products]);
});

function line(number: number): string {
  const variations = Array.from({ length: VARIATIONS }, (_, index) => ({
    identifier: `P-${number}-${index}`,
  }));
  return `${JSON.stringify({ identifier: `P-${number}`, title: `Product ${number}`, variations })}\n`;
}

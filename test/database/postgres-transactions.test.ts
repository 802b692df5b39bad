import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import driver from 'postgres';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { PostgresConnection } from '../../src/database/postgres/connection.ts';
import { isLost, translatePostgresError } from '../../src/database/postgres/errors.ts';
import { Transaction } from '../../src/database/postgres/transaction.ts';
import { statement } from '../../src/database/statement.ts';
import { postgres } from '../support/engines.ts';
import { TestDatabase } from '../support/test-database.ts';

const raiseRevision = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET catalog_revision = catalog_revision + 1 WHERE merchant_id = :id',
);
const setReadOnly = statement<unknown, never>('SET TRANSACTION READ ONLY');
const findServerProcess = statement<unknown, { pid: number }>('SELECT pg_backend_pid() AS pid');

function serverError(code: string, severity: string): Error {
  return Object.assign(new driver.PostgresError('a message'), { code, severity });
}

async function open(t: TestContext): Promise<TestDatabase> {
  const store = await TestDatabase.open(postgres);
  t.after(() => store.close());
  return store;
}

it('two transactions that deadlock are both committed exactly once', async (t) => {
  const store = await open(t);
  const merchants = [await store.newMerchant(), await store.newMerchant()] as const;
  const before = await Promise.all(merchants.map((merchant) => store.revisionOf(merchant)));
  const bothHold = Promise.withResolvers<void>();
  let runs = 0;
  const raiseBoth = (first: { id: number }, second: { id: number }): Promise<void> =>
    store.database.transaction(async (connection) => {
      await connection.run(raiseRevision, { id: first.id });
      runs += 1;
      if (runs === 2) bothHold.resolve();
      await bothHold.promise;
      await connection.run(raiseRevision, { id: second.id });
    });
  const [one, other] = merchants;
  await Promise.all([raiseBoth(one, other), raiseBoth(other, one)]);
  // If the aborted one gets its first row again before the other one, they deadlock once more.
  assert.ok(runs >= 3, 'the server aborted one of them, which then ran again');
  assert.deepEqual(
    await Promise.all(merchants.map((merchant) => store.revisionOf(merchant))),
    before.map((revision) => revision + 2),
  );
});

it('connections to a server that has become read-only are closed, so that the pool finds a primary', async (t) => {
  const store = await open(t);
  const merchant = await store.newMerchant();
  const process = (): Promise<{ pid: number } | undefined> => store.database.first(findServerProcess);
  const before = await process();
  assert.deepEqual(await process(), before);
  const rejected = store.database.transaction(async (connection) => {
    await connection.run(setReadOnly);
    await connection.run(raiseRevision, merchant);
  });
  await assert.rejects(rejected, (error) => {
    assert.ok(error instanceof DatabaseUnavailable);
    assert.match(error.message, /read-only transaction/);
    return true;
  });
  assert.notDeepEqual(await process(), before);
  await store.database.transaction((connection) => connection.run(raiseRevision, merchant));
});

it('a connection counts as lost after a FATAL error, but not after an ERROR about another server', async (t) => {
  for (const code of ['08006', '57P01', '57P03']) {
    assert.ok(isLost(serverError(code, 'FATAL')), code);
    assert.ok(!isLost(serverError(code, 'ERROR')), code);
    assert.ok(translatePostgresError(serverError(code, 'ERROR')) instanceof DatabaseUnavailable, code);
  }
  assert.ok(isLost(serverError('25006', 'ERROR')));

  const failedCommit = Object.assign(serverError('XX000', 'ERROR'), { file: 'placement_connection.c' });
  assert.ok(translatePostgresError(failedCommit) instanceof DatabaseUnavailable);
  assert.ok(!(translatePostgresError(serverError('XX000', 'ERROR')) instanceof DatabaseUnavailable));

  const store = await open(t);
  const process = (): Promise<{ pid: number } | undefined> => store.database.first(findServerProcess);
  const before = await process();
  const failLikeCitus = statement<unknown, never>(
    "DO $$ BEGIN RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = '08006'; END $$",
  );
  await assert.rejects(store.database.all(failLikeCitus), DatabaseUnavailable);
  assert.deepEqual(await process(), before);
});

it('a step that ends after its transaction was abandoned never settles', async () => {
  const sender = { unsafe: () => assert.fail('no statement is expected') };
  const statements = new PostgresConnection(sender, { prepare: true, isDistributed: false }, () => {});
  const over = new AbortController();
  const transaction = new Transaction(
    statements,
    (work) => work(statements),
    over.signal,
    () => {},
  );
  const [done, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const outcomes: string[] = [];
  for (const { promise } of [done, failed]) {
    transaction
      .whileActive(() => promise)
      .then(
        () => outcomes.push('done'),
        () => outcomes.push('failed'),
      );
  }
  over.abort();
  done.resolve();
  failed.reject(new Error('the connection is gone'));
  await nextTurn();
  assert.deepEqual(outcomes, []);
});

it('a transaction that the driver began on a connection of others loses the connection', () => {
  const error = Object.assign(new Error('Only use sql.begin, sql.reserved or max: 1'), {
    code: 'UNSAFE_TRANSACTION',
  });
  assert.ok(isLost(error));
  assert.ok(translatePostgresError(error) instanceof DatabaseUnavailable);
});

it('statistics are updated although another program has a table with any name', async (t) => {
  const store = await open(t);
  const create = statement<unknown, never>(
    'CREATE TABLE "Old ""products""; DROP TABLE merchants" (id bigint)',
  );
  await store.database.transaction((connection) => connection.run(create));
  await store.database.updateStatistics();
  await store.newMerchant();
});

it('a table that was empty when statistics were updated is read by its index once it has rows', async (t) => {
  const { database } = await open(t);
  await database.updateStatistics();
  const explain = statement<unknown, { 'QUERY PLAN': string }>(
    `EXPLAIN SELECT data FROM orders WHERE merchant_id = 1 AND external_id IN ('A', 'B')`,
  );
  const lines = (await database.all(explain)).map((row) => row['QUERY PLAN']);
  assert.match(lines.join('\n'), /Index Scan using orders_by_external_id/);
});

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { type Connection, DatabaseUnavailable } from '../../src/database/database.ts';
import { openSqlite, type SqliteDatabase } from '../../src/database/sqlite/open.ts';
import type { DatabaseFile } from '../../src/database/sqlite/writer.ts';
import { statement } from '../../src/database/statement.ts';

const insertNumber = statement<{ n: number }, never>('INSERT INTO numbers (n) VALUES (:n)');
const insertNote = statement<unknown, never>("INSERT INTO notes (note) VALUES ('of another transaction')");
const fillDisk = statement<unknown, never>('INSERT INTO notes (note) VALUES (zeroblob(1000000))');
const limitSize = statement<unknown, unknown>('PRAGMA max_page_count = 20');
const countRows = statement<unknown, { numbers: number; notes: number }>(
  'SELECT (SELECT count(*) FROM numbers) AS numbers, (SELECT count(*) FROM notes) AS notes',
);

async function openTables(
  t: TestContext,
  inThread: boolean,
  threads: Worker[] = [],
): Promise<SqliteDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true }));
  const database = openSqlite(join(directory, 'tradepost.db'));
  t.after(() => database.close());
  await database.transaction(async (connection) => {
    await connection.run(statement<unknown, never>('CREATE TABLE numbers (n integer PRIMARY KEY)'));
    await connection.run(statement<unknown, never>('CREATE TABLE notes (note text)'));
  });
  const start = (workerData: DatabaseFile): Worker => {
    const thread = new Worker(new URL('../../src/writer-worker.ts', import.meta.url), { workerData });
    threads.push(thread);
    return thread;
  };
  if (inThread) await database.writeInThread({ start, verbs: {} });
  return database;
}

for (const inThread of [false, true]) {
  describe(`a transaction of SQLite, ${inThread ? 'in the writer thread' : 'in the same thread'}`, () => {
    it('runs no statement after another of its statements has failed', async (t) => {
      const database = await openTables(t, inThread);
      const failing = database.transaction(
        async (connection) => {
          await Promise.all([
            connection.runEach(
              insertNumber,
              Array.from({ length: 100_000 }, (_, n) => ({ n })),
            ),
            connection.run(insertNumber, { n: 0 }),
          ]);
        },
        { merchantId: 1 },
      );
      const other = database.transaction((connection) => connection.run(insertNote), { merchantId: 2 });
      await assert.rejects(failing, /UNIQUE/);
      await other;
      // Its statements would have continued here.
      await database.transaction((connection) => connection.run(insertNote), { merchantId: 2 });
      assert.deepEqual({ ...(await database.first(countRows)) }, { numbers: 0, notes: 2 });
    });

    it('runs no statement after SQLite has ended it because the disk is full', async (t) => {
      const database = await openTables(t, inThread);
      await database.transaction((connection) => connection.all(limitSize));
      const work = async (connection: Connection): Promise<void> => {
        await Promise.all([connection.run(fillDisk), connection.run(insertNote)]);
      };
      await assert.rejects(database.transaction(work), DatabaseUnavailable);
      assert.deepEqual({ ...(await database.first(countRows)) }, { numbers: 0, notes: 0 });
      await database.transaction((connection) => connection.run(insertNote));
      assert.deepEqual({ ...(await database.first(countRows)) }, { numbers: 0, notes: 1 });
    });
  });
}

it('snapshots begin again if the writer thread ends while it waits for the log to be written back', async (t) => {
  const threads: Worker[] = [];
  const database = await openTables(t, true, threads);
  const insertBlob = statement<{ blob: Uint8Array }, never>('INSERT INTO notes (note) VALUES (:blob)');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const [ended, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const open = database.snapshot(
    async (reader) => {
      await reader.first(countRows);
      begun.resolve();
      await released;
    },
    { offLoop: true },
  );
  await begun.promise;
  const blob = new Uint8Array(4 * 1024 * 1024);
  const write = (): Promise<number> =>
    database.transaction((connection) => connection.run(insertBlob, { blob }));
  await write();
  threads[0]?.on('message', (message: object) => {
    if ('wanted' in message) void threads[0]?.terminate().then(() => ended.resolve());
  });
  let hasEnded = false;
  void ended.promise.then(() => {
    hasEnded = true;
  });
  // The log grows until the thread wants it written back.
  while (!hasEnded) await write().catch(() => 0);
  release();
  await open;
  await write();
  assert.equal(threads.length, 2);
  const found = await database.snapshot((reader) => reader.first(countRows), { offLoop: true });
  assert.ok((found?.notes ?? 0) > 1);
});

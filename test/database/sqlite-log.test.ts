import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database, Reader } from '../../src/database/database.ts';
import { openSqlite } from '../../src/database/sqlite/open.ts';
import type { DatabaseFile } from '../../src/database/sqlite/writer.ts';
import { statement } from '../../src/database/statement.ts';

const MB = 1024 * 1024;

const text = 'x'.repeat(MB / 4);
const insertNote = statement<{ note: string }, never>('INSERT INTO notes (note) VALUES (:note)');
const count = statement<unknown, { notes: number }>('SELECT count(*) AS notes FROM notes');

const startWriter = (workerData: DatabaseFile): Worker =>
  new Worker(new URL('../../src/writer-worker.ts', import.meta.url), { workerData });

async function openNotes(t: TestContext): Promise<{ file: string; database: Database }> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'tradepost.db');
  const database = openSqlite(file);
  await database.writeInThread({ start: startWriter, verbs: {} });
  t.after(() => database.close());
  await database.transaction((connection) =>
    connection.run(statement<unknown, never>('CREATE TABLE notes (id integer PRIMARY KEY, note text)')),
  );
  return { file, database };
}

async function write(database: Database, notes: number): Promise<void> {
  for (let number = 0; number < notes; number += 1) {
    await database.transaction((connection) => connection.run(insertNote, { note: text }));
  }
}

const countNotes = async (reader: Reader): Promise<number | undefined> => (await reader.first(count))?.notes;

it('the write-ahead log stays bounded during writes', async (t) => {
  const { file, database } = await openNotes(t);
  await write(database, 1_000);
  // 250 MB were written.
  assert.ok(statSync(`${file}-wal`).size < 140 * MB, `${statSync(`${file}-wal`).size} bytes`);
  assert.ok(statSync(file).size > 100 * MB, `${statSync(file).size} bytes`);
  assert.equal(await countNotes(database), 1_000);
});

it('the write-ahead log stays bounded even if some snapshot is always open', async (t) => {
  const { file, database } = await openNotes(t);
  let isOver = false;
  let snapshots = 0;
  const read = async (): Promise<void> => {
    while (!isOver) {
      await database.snapshot(
        async (reader) => {
          snapshots += 1;
          const [number, before] = [snapshots, await countNotes(reader)];
          // Stays open until another snapshot has started.
          for (let check = 0; check < 100 && snapshots === number && !isOver; check += 1) await pause(1);
          assert.equal(await countNotes(reader), before);
        },
        { offLoop: true },
      );
    }
  };
  const readers = [read(), read()];
  await write(database, 1_500);
  isOver = true;
  await Promise.all(readers);
  assert.ok(snapshots > 100, `${snapshots} snapshots`);
  // 375 MB were written.
  assert.ok(statSync(`${file}-wal`).size < 300 * MB, `${statSync(`${file}-wal`).size} bytes`);
  assert.equal(await countNotes(database), 1_500);
});

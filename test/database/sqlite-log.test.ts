import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { openSqlite } from '../../src/database/sqlite/open.ts';

const MB = 1024 * 1024;

it('the log of a database that is written to stays short', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'tradepost.db');
  const database = openSqlite(file);
  t.after(() => database.close());
  const text = 'x'.repeat(MB / 4);
  await database.transaction((connection) =>
    connection.run({ sql: 'CREATE TABLE notes (id integer PRIMARY KEY, note text)' }),
  );
  for (let number = 0; number < 1_000; number += 1) {
    await database.transaction((connection) =>
      connection.run({ sql: 'INSERT INTO notes (note) VALUES (?)' }, [text]),
    );
  }
  // A quarter of a gigabyte was written.
  assert.ok(statSync(`${file}-wal`).size < 140 * MB, `${statSync(`${file}-wal`).size} bytes`);
  assert.ok(statSync(file).size > 100 * MB, `${statSync(file).size} bytes`);
  const row = await database.first<{ notes: number }>({ sql: 'SELECT count(*) AS notes FROM notes' });
  assert.equal(row?.notes, 1_000);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TorturedSettings } from '../server.ts';

/** @throws where SQLite finds anything wrong with the database file, or a row that belongs to none */
export function checkIntegrity({ DATA_DIR }: TorturedSettings): void {
  const database = new DatabaseSync(join(DATA_DIR, 'tradepost.db'), { timeout: 10_000 });
  try {
    assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
  } finally {
    database.close();
  }
}

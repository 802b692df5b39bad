import { lstatSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../shared/error-message.ts';
import { DatabaseUnusable } from '../database.ts';
import { startEpoch, startFeedEpoch } from '../epoch.ts';
import { schemaVersion } from '../migrate.ts';
import { quoteName } from '../quote-name.ts';
import { PreparedStatements, SqliteConnection, translateSqliteError } from './connection.ts';
import { dialect } from './dialect.ts';
import { openReadOnly } from './read-only.ts';

/** How many pages to copy between two reports of the progress, 8 MB. */
const PAGES_PER_STEP = 1_000;
const SIDE_FILES = ['-journal', '-wal', '-shm'];

interface Contents {
  schemaVersion: number;
  rows: Record<string, number>;
}

export interface Backup extends Contents {
  bytes: number;
}

/**
 * Copies a snapshot of the database `file` into the new file `target`, while others read and write. `target`
 * appears when it is complete, on disk and checked: integrity, schema version, row count of each table. Only
 * its owner may read it. `onProgress` gets the pages copied and in all. Aborting `signal` leaves no files.
 * @throws {DatabaseUnusable} if `target` exists, `file` is not Tradepost's, or the copy differs from it
 */
export async function backUpSqlite(
  file: string,
  target: string,
  { onProgress, signal }: { onProgress: (done: number, all: number) => void; signal: AbortSignal },
): Promise<Backup> {
  const source = openReadOnly(file);
  try {
    rejectExisting(target);
    const draft = await createDraft(target);
    try {
      const contents = await copy(source, draft, { onProgress, signal });
      rejectExisting(target);
      await rename(draft, target);
      await flush(dirname(target));
      return { ...contents, bytes: (await stat(target)).size };
    } finally {
      for (const suffix of ['', ...SIDE_FILES]) await rm(draft + suffix, { force: true });
    }
  } catch (error) {
    throw translateSqliteError(error);
  } finally {
    source.close();
  }
}

async function copy(
  source: DatabaseSync,
  draft: string,
  { onProgress, signal }: Parameters<typeof backUpSqlite>[2],
): Promise<Contents> {
  // A transaction keeps the snapshot. Without one, the copy would restart after each write.
  source.exec('BEGIN');
  const contents = await read(source);
  if (contents.schemaVersion === 0)
    throw new DatabaseUnusable('The database is empty, so there is nothing to back up.');
  await backup(source, draft, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => {
      signal.throwIfAborted();
      onProgress(totalPages - remainingPages, totalPages);
    },
  });
  signal.throwIfAborted();
  const copied = new DatabaseSync(draft);
  try {
    // A single file can be read from a read-only directory. Serving it enables WAL again.
    copied.exec('PRAGMA journal_mode = DELETE');
    const [verdict] = copied.prepare('PRAGMA integrity_check').all();
    if (verdict?.integrity_check !== 'ok' || !isDeepStrictEqual(await read(copied), contents)) {
      throw new DatabaseUnusable('The copy differs from the database. The disk or the database is damaged.');
    }
    // Clients that follow changes would otherwise skip what happens after the backup is restored.
    await startEpoch(new SqliteConnection(new PreparedStatements(copied)));
    await startFeedEpoch(new SqliteConnection(new PreparedStatements(copied)));
  } finally {
    copied.close();
  }
  await flush(draft);
  return contents;
}

async function read(database: DatabaseSync): Promise<Contents> {
  const reader = new SqliteConnection(new PreparedStatements(database));
  const rows: Record<string, number> = {};
  for (const { name } of await reader.all(dialect.listTables)) {
    // Not a `Statement`, which would take “?” and “:” in a name for parameters.
    const counted = database.prepare(`SELECT count(*) AS rows FROM ${quoteName(name)}`).get();
    rows[name] = Number(counted?.rows);
  }
  return { schemaVersion: await schemaVersion(reader, dialect), rows };
}

function rejectExisting(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new DatabaseUnusable(`${target} already exists. Choose a new file name.`);
}

/** Created before SQLite opens it, so that only its owner can ever read it. */
async function createDraft(target: string): Promise<string> {
  const draft = `${target}.partial`;
  try {
    await (await open(draft, 'wx', 0o600)).close();
    return draft;
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? 'it already exists. Another backup is in progress, or was killed: in that case, remove the file'
        : messageOf(error);
    throw new DatabaseUnusable(`${draft} cannot be created: ${reason}.`, { cause: error });
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

import { lstatSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { DatabaseUnusable, statement } from '../database.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { SqliteConnection, translateError } from './connection.ts';
import { dialect } from './open.ts';
import { openReadOnly } from './read-only.ts';

/** Pages that are copied in one go, 8 MB of them; between these, the progress is told. */
const PAGES_AT_ONCE = 1_000;
/** What SQLite may keep beside a database file. */
const SIDE_FILES = ['-journal', '-wal', '-shm'];

/** What a database holds, to be compared. */
interface Contents {
  schemaVersion: number;
  /** How many rows each table has. */
  rows: Record<string, number>;
}

/** A backup that was opened, and found to be what was copied. */
export interface Backup extends Contents {
  bytes: number;
}

/**
 * Copies the database `file`, as it is at one moment, into the new file `target`, while others read and
 * write. There is no `target` before it is complete, on disk and checked: by SQLite's own integrity check,
 * our schema, and each table's rows, counted in both. Nobody but its owner may read it.
 * `onProgress` is told how many of all pages are copied. When `signal` is aborted, nothing is left.
 * @throws {DatabaseUnusable} when there is a `target` already, `file` is no database of ours, or the copy
 *   is not what it was made of
 */
export async function backUpSqlite(
  file: string,
  target: string,
  { onProgress, signal }: { onProgress: (done: number, all: number) => void; signal: AbortSignal },
): Promise<Backup> {
  const source = openReadOnly(file);
  try {
    refuseExisting(target);
    const draft = await makeDraft(target);
    try {
      const contents = await copy(source, draft, { onProgress, signal });
      refuseExisting(target);
      await rename(draft, target);
      await flush(dirname(target));
      return { ...contents, bytes: (await stat(target)).size };
    } finally {
      for (const suffix of ['', ...SIDE_FILES]) await rm(draft + suffix, { force: true });
    }
  } catch (error) {
    throw translateError(error);
  } finally {
    source.close();
  }
}

/** Copies into a draft, and checks it. */
async function copy(
  source: DatabaseSync,
  draft: string,
  { onProgress, signal }: Parameters<typeof backUpSqlite>[2],
): Promise<Contents> {
  // A transaction holds on to the moment: without one, the copy begins anew whenever somebody has written.
  source.exec('BEGIN');
  const contents = await read(source);
  if (contents.schemaVersion === 0)
    throw new DatabaseUnusable('The database is empty: there is nothing to back up.');
  await backup(source, draft, {
    rate: PAGES_AT_ONCE,
    progress: ({ totalPages, remainingPages }) => {
      signal.throwIfAborted();
      onProgress(totalPages - remainingPages, totalPages);
    },
  });
  signal.throwIfAborted();
  const copied = new DatabaseSync(draft);
  try {
    // One file alone then, which can be read where nothing can be written. To serve it turns that back.
    copied.exec('PRAGMA journal_mode = DELETE');
    const [verdict] = copied.prepare('PRAGMA integrity_check').all();
    if (verdict?.integrity_check !== 'ok' || !isDeepStrictEqual(await read(copied), contents)) {
      throw new DatabaseUnusable(
        'The copy is not what it was made of: the disk, or the database, is damaged.',
      );
    }
  } finally {
    copied.close();
  }
  await flush(draft);
  return contents;
}

async function read(database: DatabaseSync): Promise<Contents> {
  const reader = new SqliteConnection(database);
  const rows: Record<string, number> = {};
  for (const { name } of await reader.all(dialect.listTables)) {
    const counted = await reader.first(statement<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`));
    rows[name] = counted?.rows ?? 0;
  }
  return { schemaVersion: await schemaVersion(reader, dialect), rows };
}

function refuseExisting(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }))
    throw new DatabaseUnusable(`${target} is there already: name a file that is not.`);
}

/** Made before SQLite opens it, so that it is its owner's alone from the beginning. */
async function makeDraft(target: string): Promise<string> {
  const draft = `${target}.partial`;
  try {
    await (await open(draft, 'wx', 0o600)).close();
    return draft;
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'EEXIST'
        ? 'it is there already: another backup is under way, or was killed: then remove it'
        : error instanceof Error && error.message;
    throw new DatabaseUnusable(`${draft} cannot be made: ${reason}.`, { cause: error });
  }
}

/** Has a file's contents, or a directory's names, written to the disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../database/database.ts';
import { startEpoch, startFeedEpoch } from '../database/epoch.ts';
import { schemaVersion } from '../database/migrate.ts';
import { sqliteFile } from '../database/open-database.ts';
import { PreparedStatements, SqliteConnection } from '../database/sqlite/connection.ts';
import { dialect } from '../database/sqlite/dialect.ts';
import { messageOf } from '../shared/error-message.ts';
import { formatTime } from '../shared/timestamps.ts';
import { readBackup } from './back-up.ts';
import { BackupDamaged, RestoreFailed } from './errors.ts';
import type { FoundBackup } from './find-backup.ts';

const SIDE_FILES = ['-journal', '-wal', '-shm'];
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
/** SQLite cannot use the file at all. */
const SQLITE_UNUSABLE = new Set([10, 11, 14, 26]);

export interface Restored {
  schemaVersion: number;
  bytes: number;
  /** The database that was there, with another name; null if there was none. */
  replaced: string | null;
}

interface RestoreOptions {
  dataDirectory: string;
  /** Decrypts the backup; null if there is none. */
  key: string | null;
  /** Milliseconds since 1970. */
  now: number;
  /** Stops before the replacement, with its reason. */
  signal: AbortSignal;
}

/**
 * Replaces the SQLite database of a data directory with a backup, after checking the backup: it can be
 * decrypted, has its checksum, is not corrupt, and this program can use it. The replaced database stays
 * beside it. Clients that follow changes start again.
 * @throws {RestoreFailed} if the backup cannot be used, or a process uses the database
 */
export async function restoreBackup(
  { store, file, address }: FoundBackup,
  { dataDirectory, key, now, signal }: RestoreOptions,
): Promise<Restored> {
  const target = sqliteFile(dataDirectory);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  // Before the download, which can take long, and again before the replacement.
  await whileUnused(target, async () => {});
  const draft = join(dataDirectory, `.restore-${randomUUID()}.db`);
  try {
    const bytes = await write(readBackup(store.get(file), file, key), draft, signal);
    const version = await check(draft);
    await giveToOwner(draft, dataDirectory);
    await flush(draft);
    const replaced = await whileUnused(target, () => replace(target, draft, now));
    await flush(dataDirectory);
    return { schemaVersion: version, bytes, replaced };
  } catch (error) {
    if (error instanceof RestoreFailed) throw error;
    signal.throwIfAborted();
    const reason = error instanceof BackupDamaged ? error.message : messageOf(error).replace(/\.$/, '');
    throw new RestoreFailed(`${address} cannot be restored: ${reason}. Nothing was replaced.`, {
      cause: error,
    });
  } finally {
    for (const suffix of ['', ...SIDE_FILES]) await rm(draft + suffix, { force: true });
  }
}

async function write(source: AsyncIterable<Uint8Array>, draft: string, signal: AbortSignal): Promise<number> {
  const handle = await open(draft, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const chunk of source) {
      signal.throwIfAborted();
      await handle.writeFile(chunk);
      bytes += chunk.length;
    }
  } finally {
    await handle.close();
  }
  return bytes;
}

/** Resolves to the schema version of a database, and gives it new epochs. */
async function check(draft: string): Promise<number> {
  const database = new DatabaseSync(draft);
  try {
    const [verdict] = database.prepare('PRAGMA integrity_check').all();
    if (verdict?.integrity_check !== 'ok') throw new BackupDamaged('the database in it is corrupt');
    const connection = new SqliteConnection(new PreparedStatements(database));
    const version = await schemaVersion(connection, dialect);
    if (version === 0) throw new BackupDamaged('the database in it is not one of Tradepost');
    database.exec('PRAGMA journal_mode = DELETE');
    await startEpoch(connection);
    await startFeedEpoch(connection);
    return version;
  } catch (error) {
    if (error instanceof BackupDamaged || error instanceof DatabaseUnusable) throw error;
    throw new BackupDamaged(`the database in it cannot be read: ${messageOf(error)}`);
  } finally {
    database.close();
  }
}

/**
 * Runs `work` while no other process has the database open, and none can write to it.
 * @throws {RestoreFailed} if one has
 */
async function whileUnused<T>(file: string, work: () => Promise<T>): Promise<T> {
  if (!existsSync(file)) return await work();
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    try {
      // Fails if another connection exists, even an idle one, and leaves a single file.
      const row = database.prepare('PRAGMA journal_mode = DELETE').get();
      if (row?.journal_mode !== 'delete') throw inUse(file);
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
      if (code === SQLITE_BUSY || code === SQLITE_LOCKED) throw inUse(file);
      if (!SQLITE_UNUSABLE.has(code)) throw error;
      // A corrupt database has no locks.
      if (await isOpenElsewhere(file)) throw inUse(file);
    }
    return await work();
  } finally {
    database.close();
  }
}

function inUse(file: string): RestoreFailed {
  return new RestoreFailed(
    `A process uses the database ${file}: stop the service, and commands such as imports, first. Nothing was replaced.`,
  );
}

/** Whether a process has the file open, as far as Linux shows processes of others. */
async function isOpenElsewhere(file: string): Promise<boolean> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes.filter((name) => Number(name) !== process.pid)) {
    for (const descriptor of await readdir(`/proc/${id}/fd`).catch(() => []))
      if ((await readlink(`/proc/${id}/fd/${descriptor}`).catch(() => '')) === file) return true;
  }
  return false;
}

/** Resolves to the new name of what was there. */
async function replace(target: string, draft: string, now: number): Promise<string | null> {
  if (!existsSync(target)) {
    await rename(draft, target);
    return null;
  }
  const replaced = `${target}.replaced-${formatTime(now).replaceAll(':', '-')}`;
  if (existsSync(replaced)) throw new Error(`${replaced} already exists`);
  // The side files of a corrupt database. Beside another one, they would corrupt it.
  for (const suffix of SIDE_FILES)
    if (existsSync(target + suffix)) await rename(target + suffix, replaced + suffix);
  await rename(target, replaced);
  try {
    await rename(draft, target);
  } catch (error) {
    await rename(replaced, target);
    throw error;
  }
  return replaced;
}

/** An administrator may restore what the service’s user then uses. */
async function giveToOwner(draft: string, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(directory);
  await chown(draft, uid, gid);
}

async function flush(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpSqlite } from '../database/sqlite/backup.ts';
import { messageOf } from '../shared/error-message.ts';
import { nameBackup, parseBackupName } from './backup-name.ts';
import type { BackupSettings } from './backup-settings.ts';
import { type BackupStore, DirectoryStore, openBackupStore } from './backup-store.ts';
import { decryptBackup, encryptBackup } from './encrypt-backup.ts';
import { BackupDamaged } from './errors.ts';

const WORK_FILE = /^\.backup-[\w-]+\.db/;
/** A work file that is older was left by a process that was killed. */
const WORK_MS = 6 * 60 * 60 * 1000;

export interface BackupTask {
  /** The SQLite database. */
  file: string;
  /** Where the copy is made that is then encrypted or sent. */
  workDirectory: string;
  settings: BackupSettings;
  /** Milliseconds since 1970. */
  at: number;
}

export interface CompletedBackup {
  file: string;
  at: number;
  bytes: number;
  /** Old backups that were deleted. */
  removed: string[];
  /** Why not all old backups could be deleted; null if they were. */
  notRemoved: string | null;
}

/**
 * Backs up a database to where the settings say, reads the backup back to compare its checksum, and then
 * deletes old ones. Only one process may do so at a time.
 * @throws {Error} if there is no new backup
 */
export async function backUp(
  { file, workDirectory, settings, at }: BackupTask,
  { signal, timeoutMs, retryMs }: { signal: AbortSignal; timeoutMs?: number; retryMs?: number },
): Promise<CompletedBackup> {
  const { place, key, keep } = settings;
  const store = openBackupStore(place, {
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retryMs !== undefined && { retryMs }),
  });
  const isInPlace = store instanceof DirectoryStore && key === null;
  if (store instanceof DirectoryStore) await store.create();
  const directory = isInPlace ? store.path : workDirectory;
  await removeOldWork(directory, at);
  const work = join(directory, `.backup-${randomUUID()}.db`);
  try {
    const { bytes } = await backUpSqlite(file, work, { onProgress: () => {}, signal });
    const name = nameBackup(at, await sha256Of(readFile(work, signal)), key !== null);
    if (isInPlace) await store.adopt(work, name);
    else {
      const source = readFile(work, signal);
      await store.put(name, key === null ? source : encryptBackup(source, key), bytes);
    }
    const stored = await verify(store, name, key);
    return { file: name, at, bytes: stored, ...(await removeOld(store, keep)) };
  } finally {
    await rm(work, { force: true });
  }
}

/**
 * Yields the database in a stored backup. After the last byte, compares it with the checksum in its name.
 * @throws {BackupDamaged} if it is not what was backed up, or cannot be decrypted
 */
export async function* readBackup(
  source: AsyncIterable<Uint8Array>,
  file: string,
  key: string | null,
): AsyncGenerator<Uint8Array> {
  const name = parseBackupName(file);
  const isEncrypted = name?.isEncrypted ?? file.endsWith('.enc');
  if (isEncrypted && key === null) throw new BackupDamaged('it is encrypted, and BACKUP_KEY is not set');
  const hash = createHash('sha256');
  for await (const chunk of isEncrypted && key !== null ? decryptBackup(source, key) : source) {
    hash.update(chunk);
    yield chunk;
  }
  if (name !== null && !hash.digest('hex').startsWith(name.checksum))
    throw new BackupDamaged('its content does not have the checksum in its name');
}

/** Resolves to the size of a backup that has just been stored, and removes one that is damaged. */
async function verify(store: BackupStore, file: string, key: string | null): Promise<number> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of store.get(file)) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const _ of readBackup(counted(), file, key));
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    await store.remove(file);
    throw new Error(`the stored backup was read back, and ${error.message}`, { cause: error });
  }
  return bytes;
}

async function removeOld(
  store: BackupStore,
  keep: number,
): Promise<Pick<CompletedBackup, 'removed' | 'notRemoved'>> {
  const removed: string[] = [];
  try {
    for (const { file } of (await store.list()).slice(keep)) {
      await store.remove(file);
      removed.push(file);
    }
    return { removed, notRemoved: null };
  } catch (error) {
    return { removed, notRemoved: messageOf(error) };
  }
}

async function removeOldWork(directory: string, now: number): Promise<void> {
  for (const name of (await readdir(directory)).filter((each) => WORK_FILE.test(each))) {
    const path = join(directory, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && now - stats.mtimeMs > WORK_MS) await rm(path, { force: true });
  }
}

async function* readFile(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, signal })) yield chunk;
}

async function sha256Of(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  return hash.digest('hex');
}

import { open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 10;
const MAX_WAIT_MS = 10_000;
const SQLITE_BUSY = 5;

/**
 * Runs `work` while no other process of this machine, and nothing else in this one, has the same lock file.
 * The file is created for its owner only, and stays. If a process dies, the operating system frees its lock.
 * @throws {Error} if the lock is not free within ten seconds, and system errors
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await create(file);
  // Node.js has no locks of files. SQLite has, and needs no content in the file.
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    await take(lock, file);
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Runs `work` as `withFileLock` does, if the lock becomes free within `waitMs`. Otherwise resolves to null.
 * @throws system errors
 */
export async function tryFileLock<T>(
  file: string,
  work: () => Promise<T>,
  { waitMs }: { waitMs: number },
): Promise<T | null> {
  await create(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    if (!(await takeWithin(lock, waitMs))) return null;
    return await work();
  } finally {
    lock.close();
  }
}

async function create(file: string): Promise<void> {
  // Closing a file gives up all locks of this process on it.
  if ((await stat(file).catch(() => undefined)) !== undefined) return;
  const handle = await open(file, 'a', 0o600);
  try {
    // The administrator's commands must not keep the owner of the directory from using the lock.
    const { uid, gid } = await stat(dirname(file));
    if (process.getuid?.() === 0) await handle.chown(uid, gid);
  } finally {
    await handle.close();
  }
}

async function take(lock: DatabaseSync, file: string): Promise<void> {
  if (!(await takeWithin(lock, MAX_WAIT_MS)))
    throw new Error(`another process has locked ${file} for ten seconds`);
}

async function takeWithin(lock: DatabaseSync, waitMs: number): Promise<boolean> {
  const startedAt = performance.now();
  for (;;) {
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
      if (performance.now() - startedAt > waitMs) return false;
    }
    await pause(RETRY_MS);
  }
}

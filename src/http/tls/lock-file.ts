import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 10;
/** A lock file older than this must be left over from a process that died, since the work takes only milliseconds. */
const ABANDONED_MS = 5_000;

/**
 * Waits for a lock file and runs work while holding it. Only for work that takes milliseconds: a lock file that is older
 * than five seconds is removed, because its process must have died.
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file))) {
    await pause(RETRY_MS);
    if (await isAbandoned(file)) await rm(file, { force: true });
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > ABANDONED_MS;
  } catch {
    // It has been released in the meantime.
    return false;
  }
}

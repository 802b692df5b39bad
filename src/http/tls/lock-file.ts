import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 10;
/** An older lock file belongs to a process that died, since the work takes milliseconds. */
const ABANDONED_MS = 5_000;

/**
 * Runs work while no other process holds the same lock file, and waits for it. For work that takes milliseconds: the
 * lock of a process that died is broken after five seconds.
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

import { once } from 'node:events';
import { startThread } from './shared/start-module.ts';

export interface BackupData {
  file: string;
  target: string;
}

export type BackupOutcome = { bytes: number } | { failed: string };

/**
 * Backs up the SQLite database `file` into the new file `target` in a thread of its own, as `backUpSqlite`
 * does, and resolves to its size. Aborting `signal` leaves no files.
 * @throws {Error} if there is no backup
 */
export async function backUpInThread(data: BackupData, signal: AbortSignal): Promise<{ bytes: number }> {
  signal.throwIfAborted();
  const thread = startThread('backup-worker', import.meta.url, { workerData: data });
  const abort = (): void => thread.postMessage('abort');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const outcome = await Promise.race<BackupOutcome>([
      once(thread, 'message').then(([message]: BackupOutcome[]) => message ?? { failed: 'no outcome' }),
      once(thread, 'exit').then(() => ({ failed: 'The thread has ended.' })),
    ]);
    if ('failed' in outcome) throw new Error(outcome.failed);
    return outcome;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

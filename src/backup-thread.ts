import { once } from 'node:events';
import type { BackupTask, CompletedBackup } from './backups/back-up.ts';
import { startThread } from './shared/start-module.ts';

export type BackupOutcome = { completed: CompletedBackup } | { failed: string };

/**
 * Makes a backup in a thread of its own, as `backUp` does. Aborting `signal` leaves no files.
 * @throws {Error} if there is no new backup
 */
export async function backUpInThread(task: BackupTask, signal: AbortSignal): Promise<CompletedBackup> {
  signal.throwIfAborted();
  const thread = startThread('backup-worker', import.meta.url, { workerData: task });
  const abort = (): void => thread.postMessage('abort');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const outcome = await Promise.race<BackupOutcome>([
      once(thread, 'message').then(([message]: BackupOutcome[]) => message ?? { failed: 'no outcome' }),
      once(thread, 'exit').then(() => ({ failed: 'The thread has ended.' })),
    ]);
    if ('failed' in outcome) throw new Error(outcome.failed);
    return outcome.completed;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

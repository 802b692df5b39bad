// The thread that backs up a SQLite database, whose check would block the event loop of the server.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BackupData, BackupOutcome } from './backup-thread.ts';
import { backUpSqlite } from './database/sqlite/backup.ts';
import { messageOf } from './shared/error-message.ts';

async function run(port: MessagePort, { file, target }: BackupData): Promise<void> {
  const stopping = new AbortController();
  port.once('message', () => stopping.abort(new Error('the service is stopping')));
  let outcome: BackupOutcome;
  try {
    const { bytes } = await backUpSqlite(file, target, { onProgress: () => {}, signal: stopping.signal });
    outcome = { bytes };
  } catch (error) {
    outcome = { failed: messageOf(error) };
  }
  port.postMessage(outcome);
  port.close();
}

if (parentPort !== null) void run(parentPort, workerData);

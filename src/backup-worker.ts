// The thread that makes a backup, whose checks would block the event loop of the server.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BackupOutcome } from './backup-thread.ts';
import { type BackupTask, backUp } from './backups/back-up.ts';
import { messageOf } from './shared/error-message.ts';

async function run(port: MessagePort, task: BackupTask): Promise<void> {
  const stopping = new AbortController();
  port.once('message', () => stopping.abort(new Error('the service is stopping')));
  let outcome: BackupOutcome;
  try {
    outcome = { completed: await backUp(task, { signal: stopping.signal }) };
  } catch (error) {
    outcome = { failed: messageOf(error) };
  }
  port.postMessage(outcome);
  port.close();
}

if (parentPort !== null) void run(parentPort, workerData);

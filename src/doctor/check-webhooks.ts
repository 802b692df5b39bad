import type { Dialect, Reader } from '../database/database.ts';
import { measureQueues } from '../webhooks/queries.ts';
import { type Finding, findingsOf } from './finding.ts';

/** Normally, a message is sent within a second. */
const MAX_WAIT_SECONDS = 60;

export async function checkWebhooks(
  reader: Pick<Reader, 'first'>,
  dialect: Dialect,
  now: number,
): Promise<Finding> {
  const found = findingsOf('webhooks');
  const queues = await reader.first(measureQueues(dialect), { now });
  if (queues === undefined || queues.webhooks === 0) return found.ok('none');
  const { webhooks, failing, disabled, oldest_ms: oldestMs } = queues;
  const seconds = oldestMs / 1000;
  if (seconds > MAX_WAIT_SECONDS) {
    const message = `messages wait for ${seconds.toFixed(0)} s; no process sends them`;
    return found.warning(message, 'start the service, or search its log for "webhooks not delivered"');
  }
  const message = `${webhooks} in all, ${failing} failing, ${disabled} disabled`;
  if (failing === 0) return found.ok(message);
  return found.warning(
    message,
    'their owners see the responses in the console or with GET webhooks/{webhook}/deliveries',
  );
}

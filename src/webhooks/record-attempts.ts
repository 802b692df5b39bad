import type { Connection } from '../database/database.ts';
import { countAttempts } from './attempt-budget.ts';
import {
  type Attempt,
  type DeliveryOutcome,
  type DeliveryParts,
  LEASE_MICROSECONDS,
} from './delivery-parts.ts';
import {
  type AttemptRow,
  deleteResponse,
  endDelivery,
  insertAttempt,
  type QueueStatements,
  releaseWebhook,
} from './delivery-queries.ts';
import { disableWebhook } from './disable-webhook.ts';
import { setFailing, type WebhookRow } from './queries.ts';
import { retryDelay } from './retry-times.ts';
import { hasSucceeded } from './send-message.ts';

/** A webhook whose attempts all fail for this long is disabled. */
const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;
const GONE = 410;

/**
 * Stores attempts, and releases the webhook if it should or if its merchant was suspended. Resolves to the
 * webhook as it is now; undefined if this process no longer has its lease.
 */
export async function recordAttempts(
  connection: Connection,
  { statements, holder, sender }: DeliveryParts,
  id: string,
  attempts: readonly Attempt[],
  shouldRelease: boolean,
): Promise<WebhookRow | undefined> {
  const webhook = await connection.first(statements.holdWebhook, {
    id,
    holder,
    duration: LEASE_MICROSECONDS,
  });
  // Another process repeats the attempts: an event is delivered at least once.
  if (webhook === undefined) return undefined;
  await connection.runEach(insertAttempt, attempts.map(attemptRow(id)));
  await connection.runEach(deleteResponse, attempts.flatMap(formerAttempt(id)));
  await countAttempts(connection, webhook, attempts.length, sender.now());
  for (const attempt of attempts) await recordOutcome(connection, statements, id, attempt);
  const isFailing = attempts.length > 0 && attempts.every(({ result }) => !hasSucceeded(result));
  const hasDelivered = attempts.length > 0 && !isFailing;
  const now = sender.now();
  const failingSince = hasDelivered
    ? null
    : isFailing
      ? (webhook.failing_since ?? now)
      : webhook.failing_since;
  if (failingSince !== webhook.failing_since) await connection.run(setFailing, { id, failingSince });
  const reason = attempts.some(({ result }) => result.status === GONE)
    ? 'gone'
    : failingSince !== null && now - failingSince > MAX_FAILING_MS
      ? 'failures'
      : undefined;
  if (reason !== undefined)
    await disableWebhook(connection, { ...webhook, failing_since: failingSince }, reason, now);
  if (shouldRelease || webhook.suspended_at !== null) {
    await connection.run(releaseWebhook, { id, holder });
    return undefined;
  }
  return { ...webhook, failing_since: failingSince };
}

const attemptRow =
  (webhookId: string) =>
  ({ delivery, result }: Attempt): AttemptRow => ({
    event_number: delivery.number,
    webhook_id: webhookId,
    attempt: delivery.attempts + 1,
    at: result.at,
    duration_ms: result.durationMs,
    status: result.status,
    error: result.error,
    response: result.response,
  });

const formerAttempt =
  (webhookId: string) =>
  ({ delivery: { number: eventNumber, attempts: attempt } }: Attempt) =>
    attempt === 0 ? [] : [{ webhookId, eventNumber, attempt }];

async function recordOutcome(
  connection: Connection,
  { postponeDelivery }: QueueStatements,
  webhookId: string,
  { delivery, result }: Attempt,
): Promise<void> {
  const { number: eventNumber, due_at: dueAt } = delivery;
  const outcome = { webhookId, eventNumber, dueAt, attempts: delivery.attempts + 1 };
  const delay = delayAfter({ delivery, result });
  if (delay === undefined) {
    const state = hasSucceeded(result) ? 'delivered' : 'failed';
    await connection.run(endDelivery, { ...outcome, state });
  } else {
    const failures = delivery.failures + 1;
    await connection.run(postponeDelivery, { ...outcome, failures, delay: delay * 1000 });
  }
}

/** In milliseconds; undefined if there is no further attempt. */
function delayAfter({ delivery, result }: Attempt): number | undefined {
  if (hasSucceeded(result) || result.status === GONE) return undefined;
  return retryDelay(delivery.failures + 1, result.retryAfter, Math.random());
}

export function outcomeOf(attempt: Attempt): DeliveryOutcome {
  if (hasSucceeded(attempt.result)) return 'delivered';
  return delayAfter(attempt) === undefined ? 'failed' : 'retried';
}

import type { Connection, TransactionOptions } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { renderEvent } from '../event-feed/render-event.ts';
import { ATTEMPT_BUDGET, findAttemptsLeft, waitForBudget } from './attempt-budget.ts';
import { type Attempt, type DeliveryParts, LEASE_MICROSECONDS } from './delivery-parts.ts';
import type { DueDelivery } from './delivery-queries.ts';
import type { WebhookRow } from './queries.ts';
import { outcomeOf, recordAttempts } from './record-attempts.ts';
import { hasSucceeded, type Receiver, sendMessage } from './send-message.ts';
import { ownerOf } from './webhook.ts';

/** How many messages a webhook gets at a time. A failing one gets one, to occupy few connections. */
const AT_ONCE = 16;
/** How long a batch starts further messages. The last one may take 15 s more, still within the lease. */
const BATCH_MS = 10_000;

/** Undefined if the webhook is not due, or another process has its lease. */
export async function takeWebhook(
  connection: Connection,
  { statements, holder }: DeliveryParts,
  id: string,
): Promise<WebhookRow | undefined> {
  return await connection.first(statements.takeWebhook, { id, holder, duration: LEASE_MICROSECONDS });
}

/**
 * Sends what is due to a webhook whose lease this process has, and ends the lease. Stops after a batch if it
 * `shouldYield` or the webhook fails, or when the merchant's attempts of the day are used up. First attempts
 * about one object are made in the order of its events.
 */
export async function deliverToWebhook(
  parts: DeliveryParts,
  webhook: WebhookRow,
  shouldYield: () => boolean,
): Promise<void> {
  const { database, statements, sender, budgets } = parts;
  let current: WebhookRow | undefined = webhook;
  while (current !== undefined) {
    const left: number = await findAttemptsLeft(database, budgets, webhook, sender.now());
    if (left === 0) {
      await database.transaction((connection) => waitForBudget(connection, parts, webhook));
      parts.metrics.budgetExceeded(ATTEMPT_BUDGET);
      return;
    }
    const limit: number = Math.min(left, current.failing_since === null ? AT_ONCE : 1);
    const due: DueDelivery[] = await database.all(statements.listDueDeliveries, {
      webhookId: webhook.id,
      limit,
    });
    const sent: Attempt[] = await sendAll(parts, current, due);
    // What was interrupted does not count: another process sends it again.
    const attempts = sent.filter(({ result }) => result.status !== null || !sender.stopping.aborted);
    const isHealthy = attempts.every(({ result }) => hasSucceeded(result));
    const shouldRelease = due.length < limit || !isHealthy || shouldYield();
    await parts.nextCommit();
    current = await database.transaction(
      (connection) => recordAttempts(connection, parts, webhook.id, attempts, shouldRelease),
      rowsOf(webhook),
    );
    for (const attempt of attempts) parts.metrics.webhook(outcomeOf(attempt));
  }
}

/** The attempts of a test side count for the live side, which another node can have. */
function rowsOf({ merchant_id: merchantId }: WebhookRow): TransactionOptions {
  return merchantId === liveSideOf(merchantId) ? { merchantId } : { everyNode: true };
}

/**
 * Sends one message about each subject at a time. After a failure, or when the batch has taken long, the
 * other messages about it remain due: the lease must not expire meanwhile.
 */
async function sendAll(parts: DeliveryParts, webhook: WebhookRow, due: DueDelivery[]): Promise<Attempt[]> {
  const startedAt = parts.clock();
  const receiver = receiverOf(webhook, await parts.secrets.decrypt(webhook, parts.sender.now()));
  const bySubject = [...Map.groupBy(due, subjectOf).values()];
  const sent = await Promise.all(
    bySubject.map(async (deliveries) => {
      const attempts: Attempt[] = [];
      for (const delivery of deliveries) {
        const message = { id: delivery.id, body: renderEvent(delivery) };
        const result = await sendMessage(parts.sender, receiver, message);
        attempts.push({ delivery, result });
        if (!hasSucceeded(result) || parts.clock() - startedAt > BATCH_MS) break;
      }
      return attempts;
    }),
  );
  return sent.flat();
}

export function receiverOf(webhook: WebhookRow, secrets: string[]): Receiver {
  const merchantId = liveSideOf(webhook.merchant_id);
  return { url: webhook.url, owner: ownerOf(webhook), merchantId, secrets };
}

/** A product, a campaign, or the whole merchant. */
function subjectOf({ merchant_id, type, data }: DueDelivery): string {
  const { internal_id: id = '' }: { internal_id?: unknown } = JSON.parse(data);
  return `${merchant_id} ${type.split('.')[0]} ${String(id)}`;
}

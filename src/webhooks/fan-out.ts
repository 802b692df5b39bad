import type { Connection, Dialect } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import type { EventRow } from '../event-feed/queries.ts';
import {
  deleteAttemptsUpTo,
  deleteDeliveriesUpTo,
  insertDelivery,
  queueStatements,
} from './delivery-queries.ts';
import { listEnabledWebhooks } from './queries.ts';
import { receives } from './webhook.ts';

const OWNERS_PER_STATEMENT = 200;

/** Runs in the transaction that numbers the events, so that no webhook misses an event. */
export async function fanOut(
  connection: Connection,
  dialect: Dialect,
  events: readonly EventRow[],
): Promise<void> {
  const owners = [...new Set([OPERATOR_ID, ...events.map(({ merchant_id }) => merchant_id)])];
  const { wakeWebhook } = queueStatements(dialect);
  const found = [];
  for (let start = 0; start < owners.length; start += OWNERS_PER_STATEMENT) {
    const names = owners.slice(start, start + OWNERS_PER_STATEMENT);
    found.push(connection.all(listEnabledWebhooks, { names }));
  }
  const webhooks = (await Promise.all(found)).flat();
  const queues = webhooks
    .map((webhook) => ({ webhook, received: events.filter((event) => receives(webhook, event)) }))
    .filter(({ received }) => received.length > 0)
    // One order, so that transactions that lock several webhooks cannot wait for each other.
    .sort((one, other) => (one.webhook.id < other.webhook.id ? -1 : 1));
  if (queues.length === 0) return;
  // First, so that a process that finishes a webhook waits for this transaction and sees its deliveries.
  await connection.runEach(
    wakeWebhook,
    queues.map(({ webhook: { id } }) => ({ id })),
  );
  const rows = queues.flatMap(({ webhook: { id }, received }) =>
    received.map(({ number }) => ({ event_number: number, webhook_id: id, state: 'pending' as const })),
  );
  await connection.runEach(insertDelivery, rows);
}

/** Runs in the transaction that deletes the events. */
export async function deleteDeliveries(connection: Connection, upTo: number): Promise<void> {
  await connection.run(deleteAttemptsUpTo, { number: upTo });
  await connection.run(deleteDeliveriesUpTo, { number: upTo });
}

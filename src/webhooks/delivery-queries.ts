import type { Dialect } from '../database/database.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';
import { type EventRow, type FeedRow, feedColumns } from '../event-feed/queries.ts';
import { type WebhookName, type WebhookRow, webhookColumns } from './queries.ts';

/** An event that is sent to a webhook until an attempt succeeds or the last one has failed. */
interface DeliveryName {
  webhookId: string;
  eventNumber: number;
}

/** Due at once. */
export const insertDelivery = insertInto<{
  event_number: number;
  webhook_id: string;
  state: 'pending';
}>('webhook_deliveries', ['event_number', 'webhook_id', 'state']);

/** `due_at` is in microseconds since 1970 of the database's clock. */
export interface DueDelivery extends FeedRow {
  attempts: number;
  failures: number;
  due_at: number;
}

export interface AttemptRow {
  event_number: number;
  webhook_id: string;
  attempt: number;
  at: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response: string | null;
}

export const insertAttempt = insertInto<AttemptRow>('webhook_attempts', [
  'event_number',
  'webhook_id',
  'attempt',
  'at',
  'duration_ms',
  'status',
  'error',
  'response',
]);

/** Only the response to a delivery's last attempt is kept. */
export const deleteResponse = statement<DeliveryName & { attempt: number }, never>(
  `UPDATE webhook_attempts SET response = NULL
   WHERE event_number = :eventNumber AND webhook_id = :webhookId AND attempt = :attempt`,
);

/** `dueAt` is when the delivery was due for this attempt. */
interface Outcome extends DeliveryName {
  attempts: number;
  dueAt: number;
}

/** The owner has replayed the event since the attempt began, so that another attempt is due. */
const isReplayed = 'due_at > :dueAt';

/** The delivery then is not due, unless it has been replayed meanwhile. */
export const endDelivery = statement<Outcome & { state: 'delivered' | 'failed' }, never>(
  `UPDATE webhook_deliveries
   SET attempts = :attempts,
     state = CASE WHEN ${isReplayed} THEN state ELSE :state END,
     due_at = CASE WHEN ${isReplayed} THEN due_at END
   WHERE event_number = :eventNumber AND webhook_id = :webhookId`,
);

/** Waiting deliveries count as failed, so that they can be replayed. */
export const failWaiting = statement<{ webhookId: string }, never>(
  `UPDATE webhook_deliveries SET state = 'failed', due_at = NULL
   WHERE webhook_id = :webhookId AND due_at IS NOT NULL`,
);

interface Holder {
  id: string;
  holder: string;
}

/** Times are microseconds of the database's clock. */
export interface QueueStatements {
  /**
   * Due webhooks that no process works on: each merchant's longest due one, then each one's second, and so
   * on. Leaves out suspended merchants, and webhooks that wait at `now` for a budget.
   */
  listDueWebhooks: Statement<
    { failing: 0 | 1; perMerchant: number; limit: number; now: number },
    Pick<WebhookRow, 'id' | 'merchant_id'>
  >;
  /** Takes a webhook's lease; no row if another process has it. */
  takeWebhook: Statement<Holder & { duration: number }, WebhookRow>;
  /** Extends a lease and locks the row; no row if another process has it. Adds the merchant's suspension. */
  holdWebhook: Statement<Holder & { duration: number }, WebhookRow & { suspended_at: number | null }>;
  /** In the order of their events. */
  listDueDeliveries: Statement<{ webhookId: string; limit: number }, DueDelivery>;
  wakeWebhook: Statement<{ id: string }, never>;
  /** `delay` is in microseconds from now. The next attempt is due at once if the event has been replayed. */
  postponeDelivery: Statement<Outcome & { failures: number; delay: number }, never>;
  /** Returns the due time of its deliveries; no row if deliveries of an earlier replay are still due. */
  beginReplay: Statement<WebhookName, { replay_due_at: number }>;
  /** Also adds a delivery. A null `dueAt` means now. Its attempts begin again. */
  replayDelivery: Statement<DeliveryName & { dueAt: number | null }, never>;
}

export function queueStatements({ clock }: Pick<Dialect, 'clock'>): QueueStatements {
  const lease = `lease_until = ${clock} + CAST(:duration AS bigint)`;
  return {
    listDueWebhooks: statement(
      `SELECT id, merchant_id
       FROM (SELECT w.id, w.merchant_id, w.due_at,
               row_number() OVER (PARTITION BY abs(w.merchant_id) ORDER BY w.due_at, w.id) AS turn
             FROM webhooks w
             LEFT JOIN merchants m ON m.id = abs(w.merchant_id)
             WHERE w.due_at <= ${clock} AND w.lease_until <= ${clock} AND w.disabled_at IS NULL
               AND (CASE WHEN w.failing_since IS NULL THEN 0 ELSE 1 END) = :failing
               AND m.suspended_at IS NULL AND coalesce(w.waits_until, 0) <= CAST(:now AS bigint)) AS due
       WHERE turn <= CAST(:perMerchant AS bigint)
       ORDER BY turn, due_at, id LIMIT CAST(:limit AS bigint)`,
    ),
    takeWebhook: statement(
      `UPDATE webhooks SET lease_holder = :holder, ${lease}
       WHERE id = :id AND due_at <= ${clock} AND lease_until <= ${clock} AND disabled_at IS NULL
       RETURNING ${webhookColumns}`,
    ),
    holdWebhook: statement(
      `UPDATE webhooks SET ${lease}
       WHERE id = :id AND lease_holder = :holder AND lease_until > ${clock}
       RETURNING ${webhookColumns},
         (SELECT m.suspended_at FROM merchants m WHERE m.id = abs(webhooks.merchant_id)) AS suspended_at`,
    ),
    listDueDeliveries: statement(
      `SELECT ${feedColumns}, d.attempts, d.failures, d.due_at
       FROM webhook_deliveries d
       JOIN events e ON e.number = d.event_number
       LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
       WHERE d.webhook_id = :webhookId AND d.due_at <= ${clock}
       ORDER BY d.due_at, d.event_number LIMIT CAST(:limit AS bigint)`,
    ),
    wakeWebhook: statement(
      `UPDATE webhooks
       SET due_at = CASE WHEN due_at < ${clock} THEN due_at ELSE ${clock} END WHERE id = :id`,
    ),
    postponeDelivery: statement(
      `UPDATE webhook_deliveries
       SET attempts = :attempts,
         failures = CASE WHEN ${isReplayed} THEN failures ELSE :failures END,
         due_at = CASE WHEN ${isReplayed} THEN due_at ELSE ${clock} + CAST(:delay AS bigint) END
       WHERE event_number = :eventNumber AND webhook_id = :webhookId`,
    ),
    beginReplay: statement(
      `UPDATE webhooks SET replay_due_at = ${clock}
       WHERE merchant_id = :merchantId AND id = :id
         AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
                         WHERE d.webhook_id = webhooks.id AND d.due_at = webhooks.replay_due_at)
       RETURNING replay_due_at`,
    ),
    replayDelivery: statement(
      `INSERT INTO webhook_deliveries (event_number, webhook_id, state, due_at)
       VALUES (:eventNumber, :webhookId, 'pending', coalesce(CAST(:dueAt AS bigint), ${clock}))
       ON CONFLICT (event_number, webhook_id)
       DO UPDATE SET state = 'pending', failures = 0, due_at = excluded.due_at`,
    ),
  };
}

/** The webhook is due when the first of its deliveries is. */
export const releaseWebhook = statement<Holder, never>(
  `UPDATE webhooks
   SET lease_holder = '', lease_until = 0,
     due_at = (SELECT min(d.due_at) FROM webhook_deliveries d
               WHERE d.webhook_id = :id AND d.due_at IS NOT NULL)
   WHERE id = :id AND lease_holder = :holder`,
);

/** Finds a delivery of the newest replay that is still due. */
export const findReplayedDelivery = statement<WebhookName, { event_number: number }>(
  `SELECT d.event_number FROM webhooks w
   JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.due_at = w.replay_due_at
   WHERE w.merchant_id = :merchantId AND w.id = :id LIMIT 1`,
);

export interface DeliveryRow {
  number: number;
  event_id: string;
  type: EventRow['type'];
  occurred_at: number;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  at: number | null;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  response: string | null;
}

const selectDeliveries = (condition: string): string =>
  `SELECT e.number, e.id AS event_id, e.type, e.occurred_at, d.state, d.attempts,
     a.at, a.duration_ms, a.status, a.error, a.response
   FROM webhook_deliveries d
   JOIN events e ON e.number = d.event_number
   LEFT JOIN webhook_attempts a
     ON a.event_number = d.event_number AND a.webhook_id = d.webhook_id AND a.attempt = d.attempts
   WHERE d.webhook_id = :webhookId AND d.event_number < :before ${condition}
   ORDER BY d.event_number DESC LIMIT CAST(:limit AS bigint)`;

interface DeliveryPage {
  webhookId: string;
  before: number;
  limit: number;
}

export const listDeliveriesBefore = statement<DeliveryPage, DeliveryRow>(selectDeliveries(''));

export const listFailedBefore = statement<DeliveryPage, DeliveryRow>(
  selectDeliveries("AND d.state = 'failed'"),
);

export const findEventNumber = statement<
  { eventId: string },
  Pick<EventRow, 'number' | 'merchant_id' | 'type'>
>('SELECT number, merchant_id, type FROM events WHERE id = :eventId');

interface Range {
  after: number;
  limit: number;
}
type Found = Pick<EventRow, 'number' | 'merchant_id' | 'type' | 'occurred_at'>;

export const listEventsOf = statement<Range & { merchantId: number }, Found>(
  `SELECT number, merchant_id, type, occurred_at FROM events
   WHERE merchant_id = :merchantId AND number > :after ORDER BY number LIMIT CAST(:limit AS bigint)`,
);

export const listAllEvents = statement<Range, Found>(
  `SELECT number, merchant_id, type, occurred_at FROM events
   WHERE number > :after ORDER BY number LIMIT CAST(:limit AS bigint)`,
);

export const listFailedEvents = statement<Range & { webhookId: string }, Found>(
  `SELECT e.number, e.merchant_id, e.type, e.occurred_at
   FROM webhook_deliveries d JOIN events e ON e.number = d.event_number
   WHERE d.webhook_id = :webhookId AND d.state = 'failed' AND d.event_number > :after
   ORDER BY d.event_number LIMIT CAST(:limit AS bigint)`,
);

export const deleteDeliveriesUpTo = statement<{ number: number }, never>(
  'DELETE FROM webhook_deliveries WHERE event_number <= :number',
);

export const deleteAttemptsUpTo = statement<{ number: number }, never>(
  'DELETE FROM webhook_attempts WHERE event_number <= :number',
);

import { type Dialect, insertInto, type Statement, statement } from '../database/database.ts';
import { namesPlaceholder } from '../database/look-up.ts';
import { type EventRow, type FeedRow, feedColumns } from '../event-feed/queries.ts';

/** `failures`: its attempts failed for days. `gone`: it responded 410. */
export type DisabledReason = 'owner' | 'failures' | 'gone';

export interface WebhookRow {
  id: string;
  /** The merchant, its test side, or `OPERATOR_ID`. */
  merchant_id: number;
  url: string;
  description: string;
  /** Types of events, separated by spaces; '' for all. */
  types: string;
  /** Encrypted, as in `WebhookSecrets`. */
  secret: string;
  /** From before the last rotation, encrypted; null if there was none. */
  former_secret: string | null;
  former_secret_until: number | null;
  created_at: number;
  /** Null if the last attempt succeeded. */
  failing_since: number | null;
  disabled_at: number | null;
  disabled_reason: DisabledReason | null;
  /** Milliseconds since 1970: until then, attempts wait, because the merchant has used up their budget. */
  waits_until: number | null;
  /** When it was first disabled automatically on the last such day, in milliseconds since 1970; or null. */
  reported_at: number | null;
}

/** Names the owner too, so that no one can use another owner's webhook. */
export interface WebhookName {
  merchantId: number;
  id: string;
}

const names = [
  'id',
  'merchant_id',
  'url',
  'description',
  'types',
  'secret',
  'former_secret',
  'former_secret_until',
  'created_at',
  'failing_since',
  'disabled_at',
  'disabled_reason',
  'waits_until',
  'reported_at',
] as const satisfies (keyof WebhookRow)[];
const columns = names.join(', ');

export const insertWebhook = insertInto<WebhookRow>('webhooks', names);

export const findWebhook = statement<WebhookName, WebhookRow>(
  `SELECT ${columns} FROM webhooks WHERE merchant_id = :merchantId AND id = :id`,
);

export const listWebhooksOf = statement<{ merchantId: number }, WebhookRow>(
  `SELECT ${columns} FROM webhooks WHERE merchant_id = :merchantId ORDER BY created_at, id`,
);

/** Locks until the transaction ends. */
export const lockWebhook = statement<WebhookName, WebhookRow>(
  `UPDATE webhooks SET id = id WHERE merchant_id = :merchantId AND id = :id RETURNING ${columns}`,
);

export const updateWebhook = statement<
  WebhookName & {
    url: string;
    description: string;
    types: string;
    disabledAt: number | null;
    disabledReason: DisabledReason | null;
    failingSince: number | null;
  },
  never
>(
  `UPDATE webhooks
   SET url = :url, description = :description, types = :types, disabled_at = :disabledAt,
     disabled_reason = :disabledReason, failing_since = :failingSince
   WHERE merchant_id = :merchantId AND id = :id`,
);

export const updateSecret = statement<WebhookName & { secret: string; formerUntil: number }, never>(
  `UPDATE webhooks SET former_secret = secret, former_secret_until = :formerUntil, secret = :secret
   WHERE merchant_id = :merchantId AND id = :id`,
);

export const listKeyIds = statement<unknown, { id: string }>(
  `SELECT DISTINCT substr(value, 5, 8) AS id
   FROM (SELECT secret AS value FROM webhooks
         UNION ALL SELECT former_secret FROM webhooks) AS secrets
   WHERE value IS NOT NULL ORDER BY id`,
);

export const deleteWebhook = statement<WebhookName, never>(
  'DELETE FROM webhooks WHERE merchant_id = :merchantId AND id = :id',
);

/** For lists as in `lookUp`. */
export const listEnabledWebhooks = statement<
  { names: readonly number[] },
  Pick<WebhookRow, 'id' | 'merchant_id' | 'types'>
>(
  `SELECT id, merchant_id, types FROM webhooks
   WHERE merchant_id IN (${namesPlaceholder}) AND disabled_at IS NULL`,
);

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
       FROM (SELECT e.id, e.merchant_id, e.due_at,
               row_number() OVER (PARTITION BY abs(e.merchant_id) ORDER BY e.due_at, e.id) AS turn
             FROM webhooks e
             LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
             WHERE e.due_at <= ${clock} AND e.lease_until <= ${clock} AND e.disabled_at IS NULL
               AND (CASE WHEN e.failing_since IS NULL THEN 0 ELSE 1 END) = :failing
               AND m.suspended_at IS NULL AND coalesce(e.waits_until, 0) <= CAST(:now AS bigint)) AS due
       WHERE turn <= CAST(:perMerchant AS bigint)
       ORDER BY turn, due_at, id LIMIT CAST(:limit AS bigint)`,
    ),
    takeWebhook: statement(
      `UPDATE webhooks SET lease_holder = :holder, ${lease}
       WHERE id = :id AND due_at <= ${clock} AND lease_until <= ${clock} AND disabled_at IS NULL
       RETURNING ${columns}`,
    ),
    holdWebhook: statement(
      `UPDATE webhooks SET ${lease}
       WHERE id = :id AND lease_holder = :holder AND lease_until > ${clock}
       RETURNING ${columns},
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
  `SELECT d.event_number FROM webhooks e
   JOIN webhook_deliveries d ON d.webhook_id = e.id AND d.due_at = e.replay_due_at
   WHERE e.merchant_id = :merchantId AND e.id = :id LIMIT 1`,
);

/** `until` is null if the webhook does not wait for a budget. */
export const setWaiting = statement<{ id: string; until: number | null }, never>(
  'UPDATE webhooks SET waits_until = :until WHERE id = :id',
);

export const setReported = statement<{ id: string; at: number }, never>(
  'UPDATE webhooks SET reported_at = :at WHERE id = :id',
);

export const setFailing = statement<{ id: string; failingSince: number | null }, never>(
  'UPDATE webhooks SET failing_since = :failingSince WHERE id = :id',
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

export interface QueueState {
  webhooks: number;
  failing: number;
  disabled: number;
  /** The longest time that a due webhook has waited for a process. */
  oldest_ms: number;
}

/** Leaves out webhooks of suspended merchants. */
export function measureQueues({ clock }: Pick<Dialect, 'clock'>): Statement<{ now: number }, QueueState> {
  const sum = (condition: string): string => `coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
  return statement(
    `SELECT count(*) AS webhooks, ${sum('e.disabled_at IS NULL AND e.failing_since IS NOT NULL')} AS failing,
       ${sum('e.disabled_at IS NOT NULL')} AS disabled,
       coalesce(max(CASE WHEN e.disabled_at IS NULL AND e.due_at < ${clock} AND e.lease_until < ${clock}
                           AND coalesce(e.waits_until, 0) <= CAST(:now AS bigint)
                         THEN (${clock} - e.due_at) / 1000 END), 0) AS oldest_ms
     FROM webhooks e LEFT JOIN merchants m ON m.id = abs(e.merchant_id)
     WHERE m.suspended_at IS NULL`,
  );
}

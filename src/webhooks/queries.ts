import type { Dialect } from '../database/database.ts';
import { namesPlaceholder } from '../database/look-up.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';

/** `operator`: for the merchant. `failures`: its attempts failed for days. `gone`: it responded 410. */
export type DisabledReason = 'owner' | 'operator' | 'failures' | 'gone';

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

/** Names the owner too, one side of a merchant or the operator, so that no one can use another's webhook. */
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
export const webhookColumns = names.join(', ');
const hasName = 'merchant_id = :merchantId AND id = :id';

export const insertWebhook = insertInto<WebhookRow>('webhooks', names);

export const findWebhook = statement<WebhookName, WebhookRow>(
  `SELECT ${webhookColumns} FROM webhooks WHERE ${hasName}`,
);

export const listWebhooksOf = statement<{ merchantId: number }, WebhookRow>(
  `SELECT ${webhookColumns} FROM webhooks WHERE merchant_id = :merchantId ORDER BY created_at, id`,
);

/** `time` is what the list is ordered by, and `id` then. */
interface AfterWebhook {
  time: number;
  id: string;
  limit: number;
}

const selectOfMerchants = (condition: string, time: string): Statement<AfterWebhook, WebhookRow> =>
  statement(
    `SELECT ${webhookColumns} FROM webhooks
     WHERE ${condition} AND (${time}, id) > (CAST(:time AS bigint), :id) AND merchant_id <> ${OPERATOR_ID}
     ORDER BY ${time}, id LIMIT CAST(:limit AS bigint)`,
  );

/** Oldest failure first, of all merchants. */
export const listFailingOfMerchants = selectOfMerchants(
  'failing_since IS NOT NULL AND disabled_at IS NULL',
  'failing_since',
);

/** Of all merchants, in the order in which they were disabled. */
export const listDisabledOfMerchants = selectOfMerchants('disabled_at IS NOT NULL', 'disabled_at');

/** Of all merchants, by ID. */
export const listEnabledOfMerchants = statement<Omit<AfterWebhook, 'time'>, WebhookRow>(
  `SELECT ${webhookColumns} FROM webhooks
   WHERE id > :id AND failing_since IS NULL AND disabled_at IS NULL AND merchant_id <> ${OPERATOR_ID}
   ORDER BY id LIMIT CAST(:limit AS bigint)`,
);

/** Locks until the transaction ends. */
export const lockWebhook = statement<WebhookName, WebhookRow>(
  `UPDATE webhooks SET id = id WHERE ${hasName} RETURNING ${webhookColumns}`,
);

export const updateWebhook = statement<WebhookRow, never>(
  `UPDATE webhooks
   SET url = :url, description = :description, types = :types, disabled_at = :disabled_at,
     disabled_reason = :disabled_reason, failing_since = :failing_since
   WHERE merchant_id = :merchant_id AND id = :id`,
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

/** Webhooks with a secret that is not encrypted with a key, by ID. */
export const listSecretsOfOtherKeys = statement<
  { keyId: string; after: string; limit: number },
  Pick<WebhookRow, 'id' | 'merchant_id'>
>(
  `SELECT id, merchant_id FROM webhooks
   WHERE id > :after AND (substr(secret, 5, 8) <> :keyId OR substr(former_secret, 5, 8) <> :keyId)
   ORDER BY id LIMIT :limit`,
);

export const storeSecrets = statement<WebhookName & { secret: string; formerSecret: string | null }, never>(
  `UPDATE webhooks SET secret = :secret, former_secret = :formerSecret
   WHERE merchant_id = :merchantId AND id = :id`,
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

export interface QueueState {
  webhooks: number;
  failing: number;
  disabled: number;
  /** Webhooks with messages that are due. */
  waiting: number;
  /** The longest time that a due webhook has waited for a process. */
  oldest_ms: number;
}

/** Leaves out webhooks of suspended merchants. */
export function measureQueues({ clock }: Pick<Dialect, 'clock'>): Statement<{ now: number }, QueueState> {
  const sum = (condition: string): string => `coalesce(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0)`;
  const isDue = `w.disabled_at IS NULL AND w.due_at < ${clock} AND w.lease_until < ${clock}
    AND coalesce(w.waits_until, 0) <= CAST(:now AS bigint)`;
  return statement(
    `SELECT count(*) AS webhooks, ${sum('w.disabled_at IS NULL AND w.failing_since IS NOT NULL')} AS failing,
       ${sum('w.disabled_at IS NOT NULL')} AS disabled,
       ${sum(isDue)} AS waiting,
       coalesce(max(CASE WHEN ${isDue} THEN (${clock} - w.due_at) / 1000 END), 0) AS oldest_ms
     FROM webhooks w LEFT JOIN merchants m ON m.id = abs(w.merchant_id)
     WHERE m.suspended_at IS NULL`,
  );
}

export interface FailingWebhooks {
  merchant_id: number;
  /** Enabled webhooks whose newest attempts have failed. */
  failing: number;
  /** Webhooks that the service has disabled. */
  disabled: number;
}

const isOff = `disabled_at IS NOT NULL AND disabled_reason IN ('failures', 'gone')`;
const isFailing = 'disabled_at IS NULL AND failing_since IS NOT NULL';
const countFailing = (condition: string): string =>
  `SELECT merchant_id, count(CASE WHEN ${isFailing} THEN 1 END) AS failing,
     count(CASE WHEN ${isOff} THEN 1 END) AS disabled
   FROM webhooks WHERE (failing_since IS NOT NULL OR disabled_at IS NOT NULL) AND ${condition}
   GROUP BY merchant_id HAVING count(CASE WHEN ${isFailing} OR ${isOff} THEN 1 END) > 0 ORDER BY merchant_id`;

/** For lists of up to 50 merchants. */
export const countFailingOf = statement<{ merchants: readonly number[] }, FailingWebhooks>(
  countFailing('merchant_id IN (:merchants[50])'),
);

/** Of the operator and of all merchants, without test sides. */
export const countFailingOfAll = statement<unknown, FailingWebhooks>(countFailing('merchant_id >= 0'));

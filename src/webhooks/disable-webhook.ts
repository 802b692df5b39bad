import { recordAudit, SERVICE } from '../audit/record-audit.ts';
import { dayOf } from '../budgets/budgets.ts';
import type { Connection } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { recordEvent } from '../events/record-event.ts';
import { failWaiting } from './delivery-queries.ts';
import { setReported, updateWebhook, type WebhookRow } from './queries.ts';

/**
 * Runs in a transaction that has locked the webhook. Adds an event for the owner, and fails waiting
 * deliveries, for a replay. The row says which event is a day's first: only that one is mailed.
 */
export async function disableWebhook(
  connection: Connection,
  webhook: WebhookRow,
  reason: 'gone' | 'failures',
  now: number,
): Promise<void> {
  const { id, merchant_id: merchantId, url } = webhook;
  await connection.run(updateWebhook, { ...webhook, disabled_at: now, disabled_reason: reason });
  if (webhook.reported_at === null || dayOf(webhook.reported_at) < dayOf(now))
    await connection.run(setReported, { id, at: now });
  await connection.run(failWaiting, { webhookId: id });
  const context = { connection, merchantId, who: SERVICE, now };
  recordEvent(context, { type: 'webhook.disabled', data: { id, url, reason } });
  const entry = { action: 'webhook.disabled', subject: `${id} ${new URL(url).host}: ${reason}` } as const;
  recordAudit({ ...context, merchantId: liveSideOf(merchantId) }, entry);
}

import type { Reader } from '../database/database.ts';
import type { EventType } from '../events/event-types.ts';
import { formatTime } from '../shared/timestamps.ts';
import { cutPage } from '../sync/cut-page.ts';
import { type DeliveryRow, listDeliveriesBefore, listFailedBefore } from './delivery-queries.ts';
import { requireWebhook } from './find-webhook.ts';
import type { WebhookName } from './queries.ts';

export interface LastAttempt {
  at: string;
  duration_ms: number;
  status: number | null;
  /** Null if there was a response. */
  error: string | null;
  /** The first 2 kB. */
  response: string | null;
}

export interface Delivery {
  event_id: string;
  type: EventType;
  occurred_at: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  last_attempt: LastAttempt | null;
}

interface DeliveryPart {
  deliveries: Delivery[];
  /** The next page's `before`; undefined on the last page. */
  next: [number: number] | undefined;
}

/** Newest event first. @throws {DomainError} `webhook_not_found` */
export async function listDeliveries(
  reader: Reader,
  name: WebhookName,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
    onlyFailed,
  }: { before?: number | undefined; limit: number; onlyFailed: boolean },
): Promise<DeliveryPart> {
  await requireWebhook(reader, name);
  const statement = onlyFailed ? listFailedBefore : listDeliveriesBefore;
  const rows = await reader.all(statement, { webhookId: name.id, before, limit: limit + 1 });
  const { results, next } = cutPage(rows, limit, ({ number }): [number] => [number]);
  return { deliveries: results.map(describeDelivery), next };
}

function describeDelivery(row: DeliveryRow): Delivery {
  const { event_id, type, occurred_at, state, attempts, at, duration_ms, status, error, response } = row;
  const last =
    at === null || duration_ms === null ? null : { at: formatTime(at), duration_ms, status, error, response };
  return { event_id, type, occurred_at: formatTime(occurred_at), state, attempts, last_attempt: last };
}

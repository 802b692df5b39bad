import { OPERATOR_ID } from '../database/sides.ts';
import { type EventType, eventTypes, isForMerchants } from '../events/event-types.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { DisabledReason, WebhookName, WebhookRow } from './queries.ts';
import type { ReceiverOwner } from './receiver-address.ts';

export const webhookStates = ['enabled', 'failing', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

export interface Webhook {
  id: string;
  url: string;
  description: string;
  /** Empty for all types. */
  types: EventType[];
  state: WebhookState;
  disabled_reason: DisabledReason | null;
  /** Null if the last attempt succeeded. */
  failing_since: string | null;
  disabled_at: string | null;
  created_at: string;
}

export function describeWebhook(row: WebhookRow): Webhook {
  const { id, url, description, failing_since, disabled_at, disabled_reason, created_at } = row;
  return {
    id,
    url,
    description,
    types: readTypes(row),
    state: stateOf(row),
    disabled_reason,
    failing_since: failing_since === null ? null : formatTime(failing_since),
    disabled_at: disabled_at === null ? null : formatTime(disabled_at),
    created_at: formatTime(created_at),
  };
}

export function stateOf({ failing_since, disabled_at }: WebhookRow): Webhook['state'] {
  if (disabled_at !== null) return 'disabled';
  return failing_since === null ? 'enabled' : 'failing';
}

export function nameOf({ merchant_id: merchantId, id }: Pick<WebhookRow, 'merchant_id' | 'id'>): WebhookName {
  return { merchantId, id };
}

export function ownerOf({ merchant_id }: Pick<WebhookRow, 'merchant_id'>): ReceiverOwner {
  return merchant_id === OPERATOR_ID ? 'operator' : 'merchant';
}

export function typesFor(owner: ReceiverOwner): EventType[] {
  return owner === 'operator' ? [...eventTypes] : eventTypes.filter(isForMerchants);
}

export function formatTypes(types: readonly EventType[]): string {
  return eventTypes.filter((type) => types.includes(type)).join(' ');
}

function readTypes({ types }: Pick<WebhookRow, 'types'>): EventType[] {
  const names = types.split(' ');
  return eventTypes.filter((type) => names.includes(type));
}

/** The operator receives the events of every merchant, but not of test sides. */
export function receives(
  webhook: Pick<WebhookRow, 'merchant_id' | 'types'>,
  event: { merchant_id: number; type: EventType },
): boolean {
  const owner = ownerOf(webhook);
  const isOwn =
    owner === 'operator' ? event.merchant_id >= OPERATOR_ID : event.merchant_id === webhook.merchant_id;
  const types = webhook.types === '' ? typesFor(owner) : webhook.types.split(' ');
  return isOwn && types.some((type) => type === event.type);
}

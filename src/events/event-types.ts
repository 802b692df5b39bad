/** As after the event, with the fields of the API's campaigns. */
export interface CampaignData {
  name: string;
  type: string;
  daily_budget: number | null;
  bid_amount: number | null;
  status: string;
  daily_budget_per_product: number | null;
  lifetime_budget: number | null;
  lifetime_budget_per_product: number | null;
  internal_id: string;
  created_at: string;
  updated_at: string;
  products: number;
  spend_today: number;
  spend: number;
  placements: number;
  limited_by: string | null;
  /** A number for each slot; null for always. */
  hourly_schedule: Record<string, number> | null;
}

/** `expires_at` is null if the key does not expire. */
export interface KeyData {
  id: string;
  name: string;
  expires_at: string | null;
}

export interface ModerationReason {
  code: string;
  field: string | null;
  message: string;
}

/** Ids only, never a customer's data. `status` is the order's after the event. */
export interface OrderEventData {
  order_id: number;
  external_id: string;
  status: string;
}

export interface PackageEventData extends OrderEventData {
  package_id: string;
  state: string;
}

/** `state` is the refund's. */
export interface RefundEventData extends OrderEventData {
  refund_id: string;
  state: string;
}

export interface EventData {
  'catalog.changed': {
    /** With it as `changed_since`, `GET products` returns the changes. */
    changed_since: string;
  };
  'product.moderated': {
    identifier: string;
    internal_id: number;
    state: 'ok' | 'problematic' | 'banned';
    previous_state: 'ok' | 'problematic' | 'banned';
    reasons: ModerationReason[];
  };
  'stock.low': {
    /** The highest stock that counts as low. */
    threshold: number;
    /** At most 100. */
    products: { identifier: string; internal_id: number; available_quantity: number }[];
    /** Including products that are not listed. */
    total: number;
  };
  'campaign.created': CampaignData;
  'campaign.updated': CampaignData;
  'campaign.paused': CampaignData;
  'campaign.resumed': CampaignData;
  'campaign.ended': CampaignData;
  'campaign.exhausted': CampaignData;
  'campaign.low_budget': CampaignData;
  'campaign.daily_budget_spent': CampaignData;
  'import.finished': {
    id: string;
    /** The name of the file. */
    name: string;
    state: 'done' | 'failed' | 'canceled';
    failure: string | null;
    created: number;
    updated: number;
    unchanged: number;
    rejected: number;
  };
  'order.created': OrderEventData;
  'order.held': OrderEventData & { hold_reason: 'oversold' | null };
  'order.released': OrderEventData;
  'order.canceled': OrderEventData;
  'order.acknowledged': OrderEventData;
  'order.fulfilled': OrderEventData;
  'order.overdue': OrderEventData;
  'package.updated': PackageEventData;
  'refund.requested': RefundEventData;
  'refund.settled': RefundEventData;
  'refund.failed': RefundEventData;
  'orders.changed': {
    /** With it as `changed_since`, `GET orders` returns the changes. */
    changed_since: string;
  };
  'key.created': KeyData;
  'key.rotated': KeyData;
  'key.revoked': KeyData;
  'key.expiring': KeyData;
  'webhook.disabled': {
    id: string;
    url: string;
    /** It responded with 410, or all attempts of five days failed. */
    reason: 'gone' | 'failures';
  };
  'merchant.created': { name: string };
  'merchant.suspended': { name: string };
}

export type EventType = keyof EventData;

export const eventTypes = [
  'catalog.changed',
  'product.moderated',
  'stock.low',
  'campaign.created',
  'campaign.updated',
  'campaign.paused',
  'campaign.resumed',
  'campaign.ended',
  'campaign.exhausted',
  'campaign.low_budget',
  'campaign.daily_budget_spent',
  'import.finished',
  'order.created',
  'order.held',
  'order.released',
  'order.canceled',
  'order.acknowledged',
  'order.fulfilled',
  'order.overdue',
  'package.updated',
  'refund.requested',
  'refund.settled',
  'refund.failed',
  'orders.changed',
  'key.created',
  'key.rotated',
  'key.revoked',
  'key.expiring',
  'webhook.disabled',
  'merchant.created',
  'merchant.suspended',
] as const satisfies EventType[];

/** The types that only the operator gets. */
export const operatorEventTypes = ['merchant.created', 'merchant.suspended'] as const satisfies EventType[];
export type MerchantEventType = Exclude<EventType, (typeof operatorEventTypes)[number]>;

export function isForMerchants(type: EventType): type is MerchantEventType {
  return !(operatorEventTypes as readonly EventType[]).includes(type);
}

/** In the feed and in webhooks. At most `MAX_EVENT_BYTES` long. */
export type ClientEvent = {
  [Type in EventType]: {
    /** The same in every delivery. */
    id: string;
    type: Type;
    occurred_at: string;
    /** The operator's id; null for events of the operator. */
    merchant: string | null;
    /** Whether the event is of the merchant's test side. */
    test: boolean;
    /** The catalog's revision after the change, for events about products; otherwise null. */
    revision: number | null;
    data: EventData[Type];
  };
}[EventType];

/** The length of an event's JSON. */
export const MAX_EVENT_BYTES = 20_000;

/** A campaign as it is after the event, with the fields of the API's campaigns. */
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
}

/** A key. `expires_at` is null if it does not expire. */
export interface KeyData {
  id: string;
  name: string;
  expires_at: string | null;
}

/** A reason for the moderation of a product. */
export interface ModerationReason {
  code: string;
  field: string | null;
  message: string;
}

/** The data of each type of event. */
export interface EventData {
  'catalog.changed': {
    /** The value of `changed_since` from which `GET products` returns the changes. */
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
    /** At most 100 of the products. */
    products: { identifier: string; internal_id: number; available_quantity: number }[];
    /** The number of all of them. */
    total: number;
  };
  'campaign.created': CampaignData;
  'campaign.updated': CampaignData;
  'campaign.paused': CampaignData;
  'campaign.resumed': CampaignData;
  'campaign.ended': CampaignData;
  'import.finished': {
    id: string;
    /** The name of the file. */
    name: string;
    state: 'done' | 'failed' | 'canceled';
    /** Why it failed; null if it did not. */
    failure: string | null;
    created: number;
    updated: number;
    unchanged: number;
    rejected: number;
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

/** Every type of event. */
export const eventTypes = [
  'catalog.changed',
  'product.moderated',
  'stock.low',
  'campaign.created',
  'campaign.updated',
  'campaign.paused',
  'campaign.resumed',
  'campaign.ended',
  'import.finished',
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

/** Whether merchants get the events of a type that concern them. */
export function isForMerchants(type: EventType): type is MerchantEventType {
  return !(operatorEventTypes as readonly EventType[]).includes(type);
}

/** An event as clients receive it, in the feed and in webhooks. It has at most `MAX_EVENT_BYTES`. */
export type ClientEvent = {
  [Type in EventType]: {
    /** The same whenever and wherever the event is delivered. */
    id: string;
    type: Type;
    occurred_at: string;
    /** The operator's id of the merchant; null for events of the operator. */
    merchant: string | null;
    /** Whether it is an event of the merchant's test side. */
    test: boolean;
    /** The catalog's revision after the change, for events about products; otherwise null. */
    revision: number | null;
    data: EventData[Type];
  };
}[EventType];

/** The maximum size of an event, in bytes of its JSON. */
export const MAX_EVENT_BYTES = 20_000;

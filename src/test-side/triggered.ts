import type { Budgets } from '../budgets/budgets.ts';
import type { WriteContext } from '../database/write-context.ts';
import { eventTypes, isForMerchants, type MerchantEventType } from '../events/event-types.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import type { PushServices } from '../orders/push/push-batch.ts';
import type { SpendNeeds } from '../placements/record/record-spend.ts';
import type { Moderation } from '../products/record/product-status.ts';

/** These change data. Any other event is recorded with example data. */
const actions = ['sale', 'moderation', 'order', 'budget_spent'] as const;
type Action = (typeof actions)[number];

export type TriggeredEvent = Action | MerchantEventType;
export const triggeredEvents: readonly TriggeredEvent[] = [...actions, ...eventTypes.filter(isForMerchants)];

export interface TriggerInput {
  event: TriggeredEvent;
  product_identifier?: string | undefined;
  state?: Moderation | undefined;
  campaign?: string | undefined;
}

/** What was made, in wire order. Null for what the event is not about. */
export interface Triggered {
  event: TriggeredEvent;
  event_id: string | null;
  product_identifier: string | null;
  variation_identifier: string | null;
  state: Moderation | null;
  schedule_id: string | null;
  order_id: number | null;
  campaign_id: string | null;
  placement_id: string | null;
  /** In the currency's major unit. */
  amount: number | null;
}

export const NOTHING: Omit<Triggered, 'event'> = {
  event_id: null,
  product_identifier: null,
  variation_identifier: null,
  state: null,
  schedule_id: null,
  order_id: null,
  campaign_id: null,
  placement_id: null,
  amount: null,
};

/** What `Triggered` has beyond the event. */
export type Made = Partial<Omit<Triggered, 'event'>>;

/** Facts about a test side from tables that all merchants share. */
export interface SharedFacts {
  /** With the ID of the test side. */
  merchant: MerchantRow;
  /** A webhook of the test side; null if it has none. */
  webhook: { id: string; url: string } | null;
}

export interface TriggerNeeds extends PushServices, SpendNeeds, SharedFacts {
  budgets: Budgets;
  /** The ID of the key that calls, such as `12-t3`. */
  keyId: string;
}

export type TriggerContext = WriteContext & TriggerNeeds;

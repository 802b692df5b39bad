import type { EventType } from '../events/event-types.ts';
import type { WriteCaller } from '../http/endpoint/authentication.ts';
import type { WriteServices } from '../http/endpoint/register-write.ts';
import type { ParameterType } from '../http/parameters/types.ts';
import type { Schema } from '../http/schema.ts';
import type { WebhookNeeds } from '../webhooks/manage-webhooks.ts';
import type { ReceiverOwner } from '../webhooks/receiver-address.ts';
import type { TestDeliveries } from '../webhooks/test-delivery.ts';
import type { WebhookSchemas } from './webhook-schema.ts';

/** What differs between the operator's calls for events and webhooks, and a merchant's own. */
export interface EventApi<Caller extends WriteCaller, Permission extends string> {
  owner: ReceiverOwner;
  /** Whose events and webhooks they are, for descriptions: `all merchants and of the operator’s keys`. */
  whose: string;
  /** What calls need that list events, and calls for webhooks. */
  scopes: { events: Permission; webhooks: Permission };
  /** A sentence about `hiddenFrom`, with a space before it, or ''. */
  leavesOut: string;
  /** The types of events that a caller's feed leaves out. */
  hiddenFrom(caller: Caller): EventType[];
  /** At the end of each path. */
  extension: '' | '.json';
  /** An event, whatever its type. */
  eventSchema: Schema;
  /** Reads types of events. */
  types: ParameterType<EventType[]>;
  schemas: WebhookSchemas;
}

export interface WebhookServices<Caller extends WriteCaller, Permission extends string>
  extends WriteServices<Caller, Permission> {
  needs: WebhookNeeds;
  testDeliveries: TestDeliveries;
}

import type { Scope } from '../api-keys/scopes.ts';
import { eventTypes, isForMerchants } from '../events/event-types.ts';
import { listOf } from '../http/parameters/types.ts';
import { anyEvent } from '../openapi/events/event-schema.ts';
import { merchantEvents } from '../openapi/merchant-api.ts';
import type { EventApi } from './event-api.ts';
import { webhookSchemas } from './webhook-schema.ts';

const types = eventTypes.filter(isForMerchants);

export const merchantEventApi: EventApi<Scope> = {
  owner: 'merchant',
  whose: 'the key’s side of the merchant',
  scopes: { events: 'read', webhooks: 'webhooks' },
  extension: '.json',
  eventSchema: anyEvent(merchantEvents),
  types: listOf(`types of events (${types.join(', ')})`, types.length, {
    schema: { type: 'string', enum: types },
    read: (name) => types.find((type) => type === name),
  }),
  schemas: webhookSchemas(types),
};

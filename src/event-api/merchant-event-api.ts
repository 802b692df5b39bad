import { hasScope, type Scope } from '../api-keys/scopes.ts';
import type { EventType } from '../events/event-types.ts';
import type { MerchantCaller } from '../http/endpoint/merchant-authentication.ts';
import { listOf } from '../http/parameters/types.ts';
import { anyEvent } from '../openapi/events/event-schema.ts';
import { merchantEvents } from '../openapi/merchant-api.ts';
import { typesFor } from '../webhooks/webhook.ts';
import type { EventApi } from './event-api.ts';
import { webhookSchemas } from './webhook-schema.ts';

const types = typesFor('merchant');

/** The scope that also guards, in other calls, what an event tells. */
function scopeOf(type: EventType): Scope {
  if (/^(?:orders?|package|refund)\./.test(type)) return 'orders';
  return type === 'webhook.disabled' ? 'webhooks' : 'read';
}

export const merchantEventApi: EventApi<MerchantCaller, Scope> = {
  owner: 'merchant',
  whose: 'the key’s side of the merchant',
  leavesOut:
    ' Events about orders are only for keys with the scope `orders`, and `webhook.disabled` only for keys with ' +
    '`webhooks`.',
  scopes: { events: 'read', webhooks: 'webhooks' },
  hiddenFrom: ({ key }) => types.filter((type) => key !== undefined && !hasScope(key.scopes, scopeOf(type))),
  extension: '.json',
  eventSchema: anyEvent(merchantEvents),
  types: listOf(`types of events (${types.join(', ')})`, types.length, {
    schema: { type: 'string', enum: types },
    read: (name) => types.find((type) => type === name),
  }),
  schemas: webhookSchemas(types),
};

import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { EventApi } from '../../event-api/event-api.ts';
import { webhookSchemas } from '../../event-api/webhook-schema.ts';
import { eventTypes } from '../../events/event-types.ts';
import { anyEvent } from '../../openapi/events/event-schema.ts';
import { listOf } from '../endpoint/parameter-types.ts';
import { operatorEvents } from '../openapi/operator-api.ts';

export const operatorEventApi: EventApi<OperatorScope> = {
  owner: 'operator',
  whose: 'all merchants and of the operator’s keys',
  scopes: { events: 'events', webhooks: 'events' },
  extension: '',
  eventSchema: anyEvent(operatorEvents),
  types: listOf(eventTypes),
  schemas: webhookSchemas(eventTypes),
};

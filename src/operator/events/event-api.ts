import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { EventApi } from '../../event-api/event-api.ts';
import { webhookSchemas } from '../../event-api/webhook-schema.ts';
import { eventTypes } from '../../events/event-types.ts';
import { anyEvent } from '../../openapi/events/event-schema.ts';
import { listOf } from '../endpoint/parameter-types.ts';
import type { OperatorCaller } from '../endpoint/register.ts';
import { operatorEvents } from '../openapi/operator-api.ts';

export const operatorEventApi: EventApi<OperatorCaller, OperatorScope> = {
  owner: 'operator',
  whose: 'all merchants and of the operator’s keys',
  scopes: { events: 'events', webhooks: 'events' },
  leavesOut: '',
  hiddenFrom: () => [],
  extension: '',
  eventSchema: anyEvent(operatorEvents),
  types: listOf(eventTypes),
  schemas: webhookSchemas(eventTypes),
};

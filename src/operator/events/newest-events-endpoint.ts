import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { testSideOf } from '../../database/sides.ts';
import { listNewestEvents } from '../../event-feed/list-newest-events.ts';
import { eventTypes } from '../../events/event-types.ts';
import { boolean, int32, oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { orNull, record } from '../../http/schema.ts';
import { exampleEvent } from '../../openapi/events/event-schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { externalId, merchantInQuery } from '../merchants/merchant-parameters.ts';
import { operatorEventApi } from './event-api.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

interface NewestEventPage {
  results: unknown[];
  next: number | null;
}

/** `GET /events/newest`, for people. */
export function newestEventsEndpoint(
  app: FastifyInstance,
  services: OperatorEndpointServices & { database: Database },
): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/events/newest',
    name: 'listNewestEvents',
    tag: eventsTag,
    summary: 'Browse the newest events',
    description:
      'Lists events of all merchants, newest first, to look for something. To follow events, use `GET events`, which ' +
      'misses none.',
    scope: 'events',
    pathParameters: {},
    parameters: {
      type: {
        type: oneOf(eventTypes),
        description: 'Only events of this type.',
        example: 'webhook.disabled',
      },
      merchant: {
        type: externalId,
        description: 'Only events of this merchant.',
        example: 'seller-4711',
      },
      test: {
        type: boolean,
        description: 'With `merchant`: whether to list the events of the merchant’s test data instead.',
        default: false,
      },
      before: { type: int32(1), description: 'The `next` of the page before.', example: 417 },
      limit: {
        type: int32(1, MAX_LIMIT),
        description: 'The maximum number of events.',
        default: DEFAULT_LIMIT,
      },
    },
    statuses: [200, 304],
    success: {
      description: 'A page of events.',
      schema: record<NewestEventPage>('NewestEventPage', 'Events, newest first.', {
        results: { type: 'array', items: operatorEventApi.eventSchema },
        next: {
          ...orNull({ type: 'integer' }),
          description: 'The value of `before` for the next page; null on the last one.',
        },
      }),
      examples: {
        page: {
          summary: 'The last page',
          value: { results: [exampleEvent('webhook.disabled')], next: null } satisfies NewestEventPage,
        },
      },
    },
    handle: async ({ request, reply, input }) => {
      const { type, merchant, test = false, before, limit = DEFAULT_LIMIT } = input;
      const found =
        merchant === undefined ? undefined : await merchantInQuery(database, 'merchant', merchant);
      const merchantId = found !== undefined && test ? testSideOf(found.id) : found?.id;
      const { events, next } = await listNewestEvents(database, { type, merchantId, before, limit });
      await sendJson(request, reply, `{"results":[${events.join(',')}],"next":${JSON.stringify(next)}}`);
    },
  });
}

import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { OPERATOR_ID, testSideOf } from '../../database/sides.ts';
import { listNewestEvents } from '../../event-feed/list-newest-events.ts';
import { eventTypes } from '../../events/event-types.ts';
import { DEFAULT_LIMIT, nextSchema, pageParameters, readPage } from '../../http/parameters/page.ts';
import { boolean, oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { record } from '../../http/schema.ts';
import { type NamedMerchant, nameMerchants } from '../../merchants/name-merchants.ts';
import { exampleEvent } from '../../openapi/events/event-schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { externalId, merchantInQuery } from '../merchants/merchant-parameters.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';
import { operatorEventApi } from './event-api.ts';

interface NewestEventPage {
  results: unknown[];
  merchants: NamedMerchant[];
  next: string | null;
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
      ...pageParameters('events'),
    },
    statuses: [200, 304],
    success: {
      description: 'A page of events.',
      schema: record<NewestEventPage>('NewestEventPage', 'Events, newest first.', {
        results: { type: 'array', items: operatorEventApi.eventSchema },
        merchants: {
          type: 'array',
          items: namedMerchantSchema,
          description: 'The merchants whose events they are, each once.',
        },
        next: nextSchema,
      }),
      examples: {
        page: {
          summary: 'The last page',
          value: {
            results: [exampleEvent('webhook.disabled')],
            merchants: [exampleNamedMerchant],
            next: null,
          } satisfies NewestEventPage,
        },
      },
    },
    handle: async ({ request, reply, input }) => {
      const { type, merchant, test = false, after, limit = DEFAULT_LIMIT } = input;
      const found =
        merchant === undefined ? undefined : await merchantInQuery(database, 'merchant', merchant);
      const merchantId = found !== undefined && test ? testSideOf(found.id) : found?.id;
      const { events, merchantIds, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'newest events', selected: [type, merchantId], after },
        ['integer'],
        (place) => listNewestEvents(database, { type, merchantId, before: place?.[0], limit }),
      );
      const merchants = [...(await nameMerchants(database, merchantIds)).values()];
      const rest = JSON.stringify({ merchants, next }).slice(1);
      await sendJson(request, reply, `{"results":[${events.join(',')}],${rest}`);
    },
  });
}

import type { FastifyInstance } from 'fastify';
import { errors } from '../../errors/errors.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { orNull, record } from '../../http/schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { requireWebhook } from '../../webhooks/find-webhook.ts';
import { type Delivery, listDeliveries } from '../../webhooks/list-deliveries.ts';
import {
  deliveriesPageOf,
  deliveriesParameters,
  replayOf,
  replayParameters,
} from '../../webhooks/parameters.ts';
import { replayEvents } from '../../webhooks/replay-events.ts';
import type { Sender } from '../../webhooks/send-message.ts';
import { testDelivery } from '../../webhooks/test-delivery.ts';
import type { WebhookSecrets } from '../../webhooks/webhook-secrets.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { nameOf, webhookInPath } from './webhook-parameters.ts';
import { attemptSchema, deliverySchema, exampleAttempt, exampleDelivery } from './webhook-schema.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const { before, limit, only_failed } = deliveriesParameters(MAX_LIMIT);

const deliveryPageSchema = record<{ results: Delivery[]; next: number | null }>(
  'WebhookDeliveryPage',
  'A page of deliveries.',
  {
    results: { type: 'array', items: deliverySchema },
    next: {
      ...orNull({ type: 'integer' }),
      description: 'The value of `before` for the next page; null on the last one.',
    },
  },
);

/** The calls that send events to a webhook and list what was sent. */
export function deliveryEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { sender: Sender; secrets: WebhookSecrets },
): void {
  const { database, now, secrets, sender } = services;
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/test',
    name: 'testWebhook',
    tag: eventsTag,
    summary: 'Send an example to a webhook',
    description:
      'Sends an event of the type `webhook.test` once, also to a disabled webhook, and returns how the receiver responded.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [200, 404],
    success: {
      description: 'The attempt.',
      schema: attemptSchema,
      examples: { attempt: { summary: 'The receiver has accepted it', value: exampleAttempt } },
    },
    handle: async ({ request, reply, path }) => {
      const row = await requireWebhook(database, nameOf(path));
      // The receiver may need seconds. Others are served meanwhile.
      const attempt = await services.overloadControl.runOutside(() => testDelivery({ sender, secrets }, row));
      await sendJson(request, reply, JSON.stringify(attempt));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/replay',
    name: 'replayWebhook',
    tag: eventsTag,
    summary: 'Send events again',
    description:
      'Sends events of the last 30 days to the current URL again, with the same IDs: one event, or all from `since` to ' +
      '`until`, or only the failed ones. Include events from before the webhook was created or while it was disabled.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: replayParameters,
    statuses: [200, 404, 409],
    success: {
      description: 'The number of events to send.',
      schema: record<{ events: number }>('WebhookReplay', 'A replay.', { events: { type: 'integer' } }),
      examples: { replay: { summary: 'Two events', value: { events: 2 } } },
    },
    handle: async ({ request, reply, path, input }) => {
      const { event_id: eventId, since } = input;
      if ((eventId === undefined) === (since === undefined))
        throw errors.invalid_parameters([{ field: 'since', reason: 'expected either since or event_id' }]);
      const replay = replayOf(input, { onlyFailed: false, now: now() });
      const events = await replayEvents(database, nameOf(path), replay);
      await sendJson(request, reply, JSON.stringify({ events }));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries',
    name: 'listWebhookDeliveries',
    tag: eventsTag,
    summary: 'List deliveries to a webhook',
    description: 'Lists the events of the last 30 days that were sent to a webhook, newest first.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: { before, limit: { ...limit, default: DEFAULT_LIMIT }, only_failed },
    statuses: [200, 304, 404],
    success: {
      description: 'A page of deliveries.',
      schema: deliveryPageSchema,
      examples: { page: { summary: 'The last page', value: { results: [exampleDelivery], next: null } } },
    },
    handle: async ({ request, reply, path, input }) => {
      const page = deliveriesPageOf(input, DEFAULT_LIMIT);
      const list = await listDeliveries(database, nameOf(path), page);
      await sendJson(request, reply, JSON.stringify({ results: list.deliveries, next: list.next }));
    },
  });
}

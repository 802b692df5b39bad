import type { FastifyInstance } from 'fastify';
import { runVerb } from '../database/write-context.ts';
import type { WriteCaller } from '../http/endpoint/authentication.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import { eventsTag } from '../openapi/events/webhooks.ts';
import { requireWebhook } from '../webhooks/find-webhook.ts';
import { takeReplay } from '../webhooks/manage-webhooks.ts';
import {
  deliveriesParameters,
  replayOf,
  replayParameters,
  requireOneChoice,
} from '../webhooks/parameters.ts';
import { replayEvents } from '../webhooks/replay-events.ts';
import type { EventApi, WebhookServices } from './event-api.ts';
import { readDeliveries } from './read-deliveries.ts';
import { webhookInPath } from './webhook-parameters.ts';
import { attemptSuccess, deliveriesSuccess, replaySuccess } from './webhook-schema.ts';

/** The calls that send events to a webhook and list what was sent. */
export function deliveryEndpoints<Caller extends WriteCaller, Permission extends string>(
  app: FastifyInstance,
  services: WebhookServices<Caller, Permission>,
  { owner, scopes, extension, schemas }: EventApi<Caller, Permission>,
): void {
  const { database, needs, now, testDeliveries } = services;
  const scope = scopes.webhooks;
  registerEndpoint(app, services, {
    method: 'POST',
    path: `/webhooks/{webhook}/test${extension}`,
    name: 'testWebhook',
    tag: eventsTag,
    summary: 'Send an example to a webhook',
    description:
      'Sends an event of the type `webhook.test` once, also to a disabled webhook, and returns how the receiver responded.',
    scope,
    pathParameters: webhookInPath,
    parameters: {},
    // A merchant's second test delivery is refused while the first is in progress.
    statuses: owner === 'merchant' ? [200, 404, 409] : [200, 404],
    success: attemptSuccess,
    handle: async ({ request, reply, caller, path: { webhook: id } }) => {
      const row = await requireWebhook(database, { merchantId: caller.merchantId, id });
      const attempt = await testDeliveries.send(caller, row);
      await sendJson(request, reply, JSON.stringify(attempt));
    },
  });
  registerEndpoint(app, services, {
    method: 'POST',
    path: `/webhooks/{webhook}/replay${extension}`,
    name: 'replayWebhook',
    tag: eventsTag,
    summary: 'Send events again',
    description:
      'Sends events of the last 30 days to the current URL again, with the same IDs: one event, or all from `since` to ' +
      '`until`, or only the failed ones. Include events from before the webhook was created or while it was disabled.',
    scope,
    pathParameters: webhookInPath,
    parameters: replayParameters,
    statuses: [200, 404, 409],
    success: replaySuccess,
    handle: async ({ request, reply, caller: { merchantId, who }, path: { webhook: id }, input }) => {
      requireOneChoice(input);
      const replay = replayOf(input, { onlyFailed: false, now: now() });
      await runVerb(services, { merchantId, who, ...needs }, takeReplay, { id });
      const events = await replayEvents(database, { merchantId, id }, replay);
      await sendJson(request, reply, JSON.stringify({ events }));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: `/webhooks/{webhook}/deliveries${extension}`,
    name: 'listWebhookDeliveries',
    tag: eventsTag,
    summary: 'List deliveries to a webhook',
    description: 'Lists the events of the last 30 days that were sent to a webhook, newest first.',
    scope,
    pathParameters: webhookInPath,
    parameters: deliveriesParameters,
    statuses: [200, 304, 404],
    success: deliveriesSuccess(schemas),
    handle: async ({ request, reply, caller: { merchantId }, path: { webhook: id }, input }) => {
      const page = await readDeliveries(database, merchantId, { merchantId, id }, input);
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}

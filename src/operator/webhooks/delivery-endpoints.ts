import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { readDeliveries } from '../../event-api/read-deliveries.ts';
import { attemptSuccess, deliveriesSuccess, replaySuccess } from '../../event-api/webhook-schema.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { takeReplay, type WebhookNeeds } from '../../webhooks/manage-webhooks.ts';
import {
  deliveriesParameters,
  replayOf,
  replayParameters,
  requireOneChoice,
} from '../../webhooks/parameters.ts';
import { replayEvents } from '../../webhooks/replay-events.ts';
import type { TestDeliveries } from '../../webhooks/test-delivery.ts';
import { nameOf } from '../../webhooks/webhook.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { operatorEventApi } from '../events/event-api.ts';
import { findMerchantWebhook, merchantWebhookInPath } from './merchant-webhooks.ts';

/** What the operator does for a merchant whose receiver fails. */
export function merchantDeliveryEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { needs: WebhookNeeds; testDeliveries: TestDeliveries },
): void {
  const { database, needs, now, testDeliveries } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/webhooks/{webhook}/deliveries',
    name: 'listMerchantWebhookDeliveries',
    tag: eventsTag,
    summary: 'List deliveries to a merchant’s webhook',
    description:
      'Lists the events of the last 30 days that were sent to a merchant’s webhook, newest first, each with its last attempt.',
    scope: 'events',
    pathParameters: merchantWebhookInPath,
    parameters: deliveriesParameters,
    statuses: [200, 304, 404],
    success: deliveriesSuccess(operatorEventApi.schemas),
    handle: async ({ request, reply, path, input }) => {
      const { row } = await findMerchantWebhook(database, path);
      const page = await readDeliveries(database, OPERATOR_ID, nameOf(row), input);
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/webhooks/{webhook}/test',
    name: 'testMerchantWebhook',
    tag: eventsTag,
    summary: 'Send an example to a merchant’s webhook',
    description:
      'Sends an event of the type `webhook.test` once, also to a disabled webhook, and returns how the receiver ' +
      'responded. It takes an attempt of the merchant’s budget.',
    scope: 'events',
    pathParameters: merchantWebhookInPath,
    parameters: {},
    statuses: [200, 404, 409],
    success: attemptSuccess,
    handle: async ({ request, reply, caller, path }) => {
      const { row } = await findMerchantWebhook(database, path);
      const attempt = await testDeliveries.send(caller, row);
      await sendJson(request, reply, JSON.stringify(attempt));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/webhooks/{webhook}/replay',
    name: 'replayMerchantWebhook',
    tag: eventsTag,
    summary: 'Send events to a merchant’s webhook again',
    description:
      'Sends events of the last 30 days to the current URL again, with the same IDs: one event, or all from `since` to ' +
      '`until`, or only the failed ones. It takes nothing of the merchant’s budget of changes.',
    scope: 'events',
    pathParameters: merchantWebhookInPath,
    parameters: replayParameters,
    statuses: [200, 404, 409],
    success: replaySuccess,
    handle: async ({ request, reply, caller: { who }, path, input }) => {
      requireOneChoice(input);
      const { row } = await findMerchantWebhook(database, path);
      const { id, merchant_id: merchantId } = row;
      const replay = replayOf(input, { onlyFailed: false, now: now() });
      const caller = { merchantId, who, ...needs };
      await runVerb(services, caller, takeReplay, { id }, { usesLiveSide: true });
      const events = await replayEvents(database, nameOf(row), replay);
      await sendJson(request, reply, JSON.stringify({ events }));
    },
  });
}

import type { FastifyInstance } from 'fastify';
import { OPERATOR } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { eventTypes } from '../../events/event-types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { record } from '../../http/schema.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { requireWebhook } from '../../webhooks/find-webhook.ts';
import { changeWebhook, createWebhook, removeWebhook, rotateSecret } from '../../webhooks/manage-webhooks.ts';
import { changeParameters, createParameters } from '../../webhooks/parameters.ts';
import { listWebhooksOf } from '../../webhooks/queries.ts';
import { describeWebhook, type Webhook } from '../../webhooks/webhook.ts';
import type { WebhookSecrets } from '../../webhooks/webhook-secrets.ts';
import { listOf } from '../endpoint/parameter-types.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { nameOf, webhookInPath } from './webhook-parameters.ts';
import {
  type CreatedWebhook,
  createdWebhookSchema,
  exampleWebhook,
  webhookSchema,
  webhookSuccess,
} from './webhook-schema.ts';

const types = listOf(eventTypes);

/** The calls that manage the operator's webhooks. */
export function webhookEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & {
    config: Pick<Config, 'webhookNetworks'>;
    secrets: WebhookSecrets;
  },
): void {
  const { config, database, secrets } = services;
  const operator = {
    merchantId: OPERATOR_ID,
    who: OPERATOR,
    privateNetworks: config.webhookNetworks,
    secrets,
  };
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/webhooks',
    name: 'listWebhooks',
    tag: eventsTag,
    summary: 'List webhooks',
    description:
      'Lists the webhooks of the operator, oldest first. Merchants’ own webhooks are not included.',
    scope: 'events',
    pathParameters: {},
    parameters: {},
    statuses: [200, 304],
    success: {
      description: 'All webhooks.',
      schema: record<{ results: Webhook[] }>('WebhookList', 'All webhooks.', {
        results: { type: 'array', items: webhookSchema },
      }),
      examples: { webhooks: { summary: 'One webhook', value: { results: [exampleWebhook] } } },
    },
    handle: async ({ request, reply }) => {
      const rows = await database.all(listWebhooksOf, { merchantId: OPERATOR_ID });
      await sendJson(request, reply, JSON.stringify({ results: rows.map(describeWebhook) }));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/webhooks',
    name: 'createWebhook',
    tag: eventsTag,
    summary: 'Create a webhook',
    description:
      'Sends events of all merchants to a URL from now on, signed as Standard Webhooks defines. Each event is sent up to ' +
      'ten times over 75 hours, until the receiver responds with 2xx.',
    scope: 'events',
    pathParameters: {},
    parameters: createParameters(types),
    statuses: [201, 409],
    success: {
      status: 201,
      description: 'The webhook, with its secret.',
      schema: createdWebhookSchema,
      examples: {
        webhook: {
          summary: 'A new webhook',
          value: { ...exampleWebhook, secret: 'whsec_EXAMPLE' } satisfies CreatedWebhook,
        },
      },
    },
    write: async (context, { input }) => {
      const row = await createWebhook({ ...context, ...operator }, input);
      return { ...describeWebhook(row), secret: row.plainSecret } satisfies CreatedWebhook;
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/webhooks/{webhook}',
    name: 'retrieveWebhook',
    tag: eventsTag,
    summary: 'Retrieve a webhook',
    description: 'Returns a webhook without its secret.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success: webhookSuccess,
    handle: async ({ request, reply, path }) =>
      await sendJson(
        request,
        reply,
        JSON.stringify(describeWebhook(await requireWebhook(database, nameOf(path)))),
      ),
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/webhooks/{webhook}',
    name: 'changeWebhook',
    tag: eventsTag,
    summary: 'Change, disable or enable a webhook',
    description:
      'Changes the fields that are sent. Disabling a webhook fails its pending deliveries. Enabling it does not resend ' +
      'them; use replay.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: changeParameters(types),
    statuses: [200, 404],
    success: webhookSuccess,
    handle: async ({ request, reply, path: { webhook: id }, input }) => {
      const row = await runVerb(services, operator, changeWebhook, { id, ...input });
      await sendJson(request, reply, JSON.stringify(describeWebhook(row)));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    name: 'deleteWebhook',
    tag: eventsTag,
    summary: 'Delete a webhook',
    description: 'Sends nothing more to the webhook and deletes it.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [200, 404, 409],
    success: webhookSuccess,
    write: async (context, { path: { webhook: id } }) =>
      describeWebhook(await removeWebhook({ ...context, ...operator }, { id })),
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    name: 'rotateWebhookSecret',
    tag: eventsTag,
    summary: 'Replace the secret of a webhook',
    description: 'Creates a new secret. For 24 hours, messages are also signed with the previous secret.',
    scope: 'events',
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [201, 404, 409],
    success: {
      status: 201,
      description: 'The new secret.',
      schema: record<{ secret: string }>('WebhookSecret', 'A new secret.', {
        secret: { type: 'string', description: 'It is returned once.' },
      }),
      examples: { secret: { summary: 'A secret', value: { secret: 'whsec_EXAMPLE' } } },
    },
    write: async (context, { path: { webhook: id } }) => ({
      secret: await rotateSecret({ ...context, ...operator }, { id }),
    }),
  });
}

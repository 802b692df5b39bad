import type { FastifyInstance } from 'fastify';
import { runVerb, type VerbCaller } from '../database/write-context.ts';
import type { WriteCaller } from '../http/endpoint/authentication.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { registerSealedWrite } from '../http/endpoint/register-sealed-write.ts';
import { sendJson } from '../http/responses/respond.ts';
import { record } from '../http/schema.ts';
import { eventsTag } from '../openapi/events/webhooks.ts';
import { requireWebhook } from '../webhooks/find-webhook.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookNeeds,
} from '../webhooks/manage-webhooks.ts';
import { changeParameters, createParameters } from '../webhooks/parameters.ts';
import { listWebhooksOf } from '../webhooks/queries.ts';
import { describeWebhook, type Webhook } from '../webhooks/webhook.ts';
import type { EventApi, WebhookServices } from './event-api.ts';
import { webhookInPath } from './webhook-parameters.ts';
import { type CreatedWebhook, exampleWebhook, webhookSuccess } from './webhook-schema.ts';

/** The calls that manage the webhooks of the operator, or of one side of a merchant. */
export function webhookEndpoints<Caller extends WriteCaller, Permission extends string>(
  app: FastifyInstance,
  services: WebhookServices<Caller, Permission>,
  { owner, whose, scopes, extension, types, schemas }: EventApi<Caller, Permission>,
): void {
  const { database, needs } = services;
  const scope = scopes.webhooks;
  const success = webhookSuccess(schemas);
  const contextOf = ({ merchantId, who }: Caller): VerbCaller & WebhookNeeds => ({
    merchantId,
    who,
    ...needs,
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: `/webhooks${extension}`,
    name: 'listWebhooks',
    tag: eventsTag,
    summary: 'List webhooks',
    description: `Lists the webhooks of ${owner === 'merchant' ? whose : 'the operator'}, oldest first.`,
    scope,
    parameters: {},
    statuses: [200, 304],
    success: {
      description: 'All webhooks.',
      schema: record<{ results: Webhook[] }>('WebhookList', 'All webhooks.', {
        results: { type: 'array', items: schemas.webhook },
      }),
      examples: { webhooks: { summary: 'One webhook', value: { results: [exampleWebhook] } } },
    },
    handle: async ({ request, reply, caller: { merchantId } }) => {
      const rows = await database.all(listWebhooksOf, { merchantId });
      await sendJson(request, reply, JSON.stringify({ results: rows.map(describeWebhook) }));
    },
  });
  registerSealedWrite(app, services, {
    method: 'POST',
    path: `/webhooks${extension}`,
    name: 'createWebhook',
    tag: eventsTag,
    summary: 'Create a webhook',
    description:
      `Sends the events of ${whose} to a URL from now on, signed as Standard Webhooks defines. Each event is sent up to ` +
      'ten times over 75 hours, until the receiver responds with 2xx.',
    scope,
    parameters: createParameters(owner, types),
    statuses: [201, 409],
    success: {
      status: 201,
      description: 'The webhook, with its secret.',
      schema: schemas.created,
      examples: {
        webhook: {
          summary: 'A new webhook',
          value: { ...exampleWebhook, secret: 'whsec_EXAMPLE' } satisfies CreatedWebhook,
        },
      },
    },
    usesLiveSide: true,
    write: async (context, { input }) => {
      const row = await createWebhook({ ...context, ...needs }, input);
      return { ...describeWebhook(row), secret: row.plainSecret } satisfies CreatedWebhook;
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: `/webhooks/{webhook}${extension}`,
    name: 'retrieveWebhook',
    tag: eventsTag,
    summary: 'Retrieve a webhook',
    description: 'Returns a webhook without its secret.',
    scope,
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success,
    handle: async ({ request, reply, caller: { merchantId }, path: { webhook: id } }) => {
      const row = await requireWebhook(database, { merchantId, id });
      await sendJson(request, reply, JSON.stringify(describeWebhook(row)));
    },
  });
  registerEndpoint(app, services, {
    method: 'PUT',
    path: `/webhooks/{webhook}${extension}`,
    name: 'changeWebhook',
    tag: eventsTag,
    summary: 'Change, disable or enable a webhook',
    description:
      'Changes the fields that are sent. Disabling a webhook fails its pending deliveries. Enabling it does not resend ' +
      'them; use replay.',
    scope,
    pathParameters: webhookInPath,
    parameters: changeParameters(owner, types),
    statuses: [200, 404],
    success,
    handle: async ({ request, reply, caller, path: { webhook: id }, input }) => {
      const row = await runVerb(
        services,
        contextOf(caller),
        changeWebhook,
        { id, ...input },
        { usesLiveSide: true },
      );
      await sendJson(request, reply, JSON.stringify(describeWebhook(row)));
    },
  });
  registerSealedWrite(app, services, {
    method: 'DELETE',
    path: `/webhooks/{webhook}${extension}`,
    name: 'deleteWebhook',
    tag: eventsTag,
    summary: 'Delete a webhook',
    description: 'Sends nothing more to the webhook and deletes it.',
    scope,
    pathParameters: webhookInPath,
    parameters: {},
    statuses: [200, 404, 409],
    success,
    usesLiveSide: true,
    write: async (context, { path: { webhook: id } }) =>
      describeWebhook(await removeWebhook({ ...context, ...needs }, { id })),
  });
  registerSealedWrite(app, services, {
    method: 'POST',
    path: `/webhooks/{webhook}/secret${extension}`,
    name: 'rotateWebhookSecret',
    tag: eventsTag,
    summary: 'Replace the secret of a webhook',
    description: 'Creates a new secret. For 24 hours, messages are also signed with the previous secret.',
    scope,
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
    usesLiveSide: true,
    write: async (context, { path: { webhook: id } }) => ({
      secret: await rotateSecret({ ...context, ...needs }, { id }),
    }),
  });
}

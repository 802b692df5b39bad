import type { FastifyInstance } from 'fastify';
import { OPERATOR } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Reader } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { errors } from '../../errors/errors.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { listDeliveries } from '../../webhooks/list-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookChange,
} from '../../webhooks/manage-webhooks.ts';
import { changedFields, deliveriesPageOf, newFields, replayOf } from '../../webhooks/parameters.ts';
import { findWebhook, listWebhooksOf, type WebhookName, type WebhookRow } from '../../webhooks/queries.ts';
import { replayEvents } from '../../webhooks/replay-events.ts';
import type { Sender } from '../../webhooks/send-message.ts';
import { testDelivery } from '../../webhooks/test-delivery.ts';
import { describeWebhook } from '../../webhooks/webhook.ts';
import type { WebhookSecrets } from '../../webhooks/webhook-secrets.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import * as references from './references.ts';

const DEFAULT_LIMIT = 50;

export interface WebhookSettings {
  config: Pick<Config, 'webhookNetworks'>;
  sender: Sender;
  secrets: WebhookSecrets;
}

export function operatorWebhookRoutes(
  app: FastifyInstance,
  services: OperatorWriteServices & WebhookSettings,
): void {
  const { config, database, now, secrets, sender } = services;
  const scope = 'events';
  const { webhookInPath } = references;
  const nameOf = ({ webhook }: { webhook: string }): WebhookName => ({
    merchantId: OPERATOR_ID,
    id: webhook,
  });
  const change = (): WebhookChange => ({
    who: OPERATOR,
    privateNetworks: config.webhookNetworks,
    secrets,
    now: now(),
  });
  const find = async (reader: Pick<Reader, 'first'>, path: { webhook: string }): Promise<WebhookRow> => {
    const row = await reader.first(findWebhook, nameOf(path));
    if (row === undefined) throw errors.webhook_not_found(path.webhook);
    return row;
  };

  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/webhooks',
    pathParameters: {},
    parameters: {},
    scope,
    statuses: [200, 304],
    reference: references.listReference,
    handle: async ({ request, reply }) => {
      const rows = await database.all(listWebhooksOf, { merchantId: OPERATOR_ID });
      await sendJson(request, reply, JSON.stringify({ results: rows.map(describeWebhook) }));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/webhooks',
    pathParameters: {},
    parameters: references.createParameters,
    scope,
    statuses: [201, 409],
    reference: references.createReference,
    write: async (connection, { input }) => {
      const row = await createWebhook(connection, OPERATOR_ID, newFields(input), change());
      return { ...describeWebhook(row), secret: row.plainSecret } satisfies references.CreatedWebhook;
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/webhooks/{webhook}',
    pathParameters: webhookInPath,
    parameters: {},
    scope,
    statuses: [200, 304, 404],
    reference: references.retrieveReference,
    handle: async ({ request, reply, path }) =>
      await sendJson(request, reply, JSON.stringify(describeWebhook(await find(database, path)))),
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/webhooks/{webhook}',
    pathParameters: webhookInPath,
    parameters: references.changeParameters,
    scope,
    statuses: [200, 404],
    reference: references.changeReference,
    handle: async ({ request, reply, path, input }) => {
      const fields = changedFields(input);
      const row = await database.transaction(
        (connection) => changeWebhook(connection, nameOf(path), fields, change()),
        { merchantId: OPERATOR_ID },
      );
      if (row === undefined) throw errors.webhook_not_found(path.webhook);
      await sendJson(request, reply, JSON.stringify(describeWebhook(row)));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    pathParameters: webhookInPath,
    parameters: {},
    scope,
    statuses: [200, 404, 409],
    reference: references.deleteReference,
    write: async (connection, { path }) => {
      const row = await find(connection, path);
      await removeWebhook(connection, nameOf(path), change());
      return describeWebhook(row);
    },
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    pathParameters: webhookInPath,
    parameters: {},
    scope,
    statuses: [201, 404, 409],
    reference: references.rotateReference,
    write: async (connection, { path }) => {
      const secret = await rotateSecret(connection, nameOf(path), change());
      if (secret === undefined) throw errors.webhook_not_found(path.webhook);
      return { secret };
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/test',
    pathParameters: webhookInPath,
    parameters: {},
    scope,
    statuses: [200, 404],
    reference: references.testReference,
    handle: async ({ request, reply, path }) => {
      const row = await find(database, path);
      // The receiver may need seconds. Others are served meanwhile.
      const attempt = await services.overloadControl.runOutside(() => testDelivery({ sender, secrets }, row));
      await sendJson(request, reply, JSON.stringify(attempt));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'POST',
    path: '/webhooks/{webhook}/replay',
    pathParameters: webhookInPath,
    parameters: references.replayParameters,
    scope,
    statuses: [200, 404, 409],
    reference: references.replayReference,
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
    pathParameters: webhookInPath,
    parameters: references.deliveriesParameters,
    scope,
    statuses: [200, 304, 404],
    reference: references.deliveriesReference,
    handle: async ({ request, reply, path, input }) => {
      const page = deliveriesPageOf(input, DEFAULT_LIMIT);
      const list = await listDeliveries(database, nameOf(path), page);
      if (list === undefined) throw errors.webhook_not_found(path.webhook);
      await sendJson(request, reply, JSON.stringify({ results: list.deliveries, next: list.next }));
    },
  });
}

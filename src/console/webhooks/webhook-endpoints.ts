import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { modeOf, testSideOf } from '../../database/sides.ts';
import { runVerb, type Verb } from '../../database/write-context.ts';
import type { EventType } from '../../events/event-types.ts';
import type { OverloadControl } from '../../http/gate/overload-control.ts';
import { oneOf, type ParameterType } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { takeAttempt } from '../../webhooks/attempt-budget.ts';
import { requireWebhook } from '../../webhooks/find-webhook.ts';
import { type DeliveryList, type LastAttempt, listDeliveries } from '../../webhooks/list-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookNeeds,
} from '../../webhooks/manage-webhooks.ts';
import {
  changeParameters,
  createParameters,
  deliveriesPageOf,
  deliveriesParameters,
  replayOf,
  replayParameters,
} from '../../webhooks/parameters.ts';
import { listWebhooksOf, type WebhookRow } from '../../webhooks/queries.ts';
import { replayEvents } from '../../webhooks/replay-events.ts';
import type { Sender } from '../../webhooks/send-message.ts';
import { testDelivery } from '../../webhooks/test-delivery.ts';
import { describeWebhook, typesFor } from '../../webhooks/webhook.ts';
import type { WebhookSecrets } from '../../webhooks/webhook-secrets.ts';
import type {
  ConsoleWebhook,
  NewConsoleWebhook,
  NewWebhookSecret,
  Replayed,
  WebhookList,
} from '../console-api.ts';
import { consoleErrors, inSentences } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;

const types = typesFor('merchant');
/** Separated by commas. */
const typeList: ParameterType<EventType[]> = {
  expected: `some of ${types.join(', ')}, separated by commas`,
  schema: { type: 'string' },
  read: ({ kind, text: list }) => {
    if (kind !== 'text' && kind !== 'string') return undefined;
    const words = list.split(',').filter((word) => word !== '');
    return words.every((word) => types.some((type) => type === word))
      ? types.filter((type) => words.includes(type))
      : undefined;
  },
};
interface WebhookServices {
  database: Database;
  config: Pick<Config, 'webhookNetworks' | 'budgets'>;
  now: () => number;
  sender: Sender;
  secrets: WebhookSecrets;
  overloadControl: OverloadControl;
}

/** Registers the endpoints for the webhooks of both of a merchant's sides. */
export function consoleWebhookEndpoints(app: FastifyInstance, services: WebhookServices): void {
  const { database, config, now, sender, secrets, overloadControl } = services;
  /** Merchants whose test delivery is in progress, so that none occupies more than one connection. */
  const testing = new Set<number>();
  const needs = { privateNetworks: config.webhookNetworks, secrets };
  const run = <Input, Result>(
    { merchantId, who }: ConsoleCaller,
    verb: Verb<Input, Result, WebhookNeeds>,
    input: Input,
  ): Promise<Result> => runVerb(services, { merchantId, who, ...needs }, verb, input).catch(inSentences);

  const describe = (row: WebhookRow): ConsoleWebhook => {
    const { merchant_id: merchantId, waits_until: until } = row;
    const waitsUntil = until !== null && until > now() ? formatTime(until) : null;
    return { ...describeWebhook(row), mode: modeOf(merchantId), waits_until: waitsUntil };
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/webhooks',
    parameters: {},
    statuses: [200],
    handle: async ({ caller }) => {
      const sides = [caller.merchantId, testSideOf(caller.merchantId)];
      const rows = await Promise.all(sides.map((merchantId) => database.all(listWebhooksOf, { merchantId })));
      return RenderedJson.of<WebhookList>({ webhooks: rows.flat().map(describe), types });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks',
    role: 'owner',
    parameters: {
      ...createParameters(typeList),
      mode: { type: oneOf(['live', 'test']) },
    },
    statuses: [200, 409],
    handle: async ({ caller, input }) => {
      const row = await run(caller, createWebhook, input);
      return RenderedJson.of<NewConsoleWebhook>({ ...describe(row), secret: row.plainSecret });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: changeParameters(typeList),
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input }) =>
      RenderedJson.of<ConsoleWebhook>(describe(await run(caller, changeWebhook, { id, ...input }))),
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<ConsoleWebhook>(describe(await run(caller, removeWebhook, { id }))),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/secret',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<NewWebhookSecret>({ secret: await run(caller, rotateSecret, { id }) }),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/test',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchantId, who }, path: { id } }) => {
      const row = await requireWebhook(database, { merchantId, id });
      if (testing.has(merchantId)) throw consoleErrors.conflict('Another test delivery is in progress.');
      testing.add(merchantId);
      try {
        await runVerb(services, { merchantId, who }, takeAttempt, config);
        // The receiver may need seconds. Others are served meanwhile.
        const attempt = await overloadControl.runOutside(() => testDelivery({ sender, secrets }, row));
        return RenderedJson.of<LastAttempt>(attempt);
      } finally {
        testing.delete(merchantId);
      }
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    role: 'owner',
    parameters: replayParameters,
    statuses: [200, 404, 409],
    handle: async ({ caller: { merchantId }, path: { id }, input }) => {
      const replay = replayOf(input, { onlyFailed: true, now: now() });
      return RenderedJson.of<Replayed>({ events: await replayEvents(database, { merchantId, id }, replay) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    parameters: deliveriesParameters(MAX_LIMIT),
    statuses: [200, 404],
    handle: async ({ caller: { merchantId }, path: { id }, input }) => {
      const page = deliveriesPageOf(input, DEFAULT_LIMIT);
      return RenderedJson.of<DeliveryList>(await listDeliveries(database, { merchantId, id }, page));
    },
  });
}

import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { modeOf, sidesSeenFrom, testSideOf } from '../../database/sides.ts';
import { runVerb, type Verb, type VerbCaller } from '../../database/write-context.ts';
import type { EventType } from '../../events/event-types.ts';
import { int32, oneOf, type ParameterType } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { requireWebhookOfAnySide } from '../../webhooks/find-webhook.ts';
import { type LastAttempt, listDeliveries } from '../../webhooks/list-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  takeReplay,
  type WebhookNeeds,
} from '../../webhooks/manage-webhooks.ts';
import {
  changeParameters,
  createParameters,
  deliveriesParameters,
  replayOf,
  replayParameters,
} from '../../webhooks/parameters.ts';
import { listWebhooksOf, type WebhookRow } from '../../webhooks/queries.ts';
import { replayEvents } from '../../webhooks/replay-events.ts';
import type { TestDeliveries } from '../../webhooks/test-delivery.ts';
import { describeWebhook, typesFor } from '../../webhooks/webhook.ts';
import type {
  ConsoleWebhook,
  DeliveryList,
  NewConsoleWebhook,
  NewWebhookSecret,
  Replayed,
  WebhookList,
} from '../console-api.ts';
import { consoleErrors, inSentences } from '../errors.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';

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
  needs: WebhookNeeds;
  now: () => number;
  testDeliveries: TestDeliveries;
}

/** Registers the endpoints for the webhooks of both of a merchant's sides. */
export function consoleWebhookEndpoints(app: FastifyInstance, services: WebhookServices): void {
  const { database, needs, now, testDeliveries } = services;
  const run = <Input, Result>(
    { merchantId, who }: VerbCaller,
    verb: Verb<Input, Result, WebhookNeeds>,
    input: Input,
  ): Promise<Result> =>
    runVerb(services, { merchantId, who, ...needs }, verb, input, { usesLiveSide: true }).catch(inSentences);
  /** Finds a webhook of either side of a merchant. @throws {DomainError} `webhook_not_found` */
  const find = ({ merchantId }: Pick<ConsoleCaller, 'merchantId'>, id: string): Promise<WebhookRow> =>
    requireWebhookOfAnySide(database, { merchantId, id });
  const runOn = async <Result>(
    { merchantId, who }: ConsoleCaller,
    verb: Verb<{ id: string }, Result, WebhookNeeds>,
    id: string,
  ): Promise<Result> => {
    const { merchant_id: side } = await find({ merchantId }, id);
    return await run({ merchantId: side, who }, verb, { id });
  };

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
      const sides = sidesSeenFrom(caller.merchantId);
      const rows = await Promise.all(sides.map((merchantId) => database.all(listWebhooksOf, { merchantId })));
      return RenderedJson.of<WebhookList>({ webhooks: rows.flat().map(describe), types });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks',
    role: 'owner',
    parameters: {
      ...createParameters('merchant', typeList),
      mode: { type: oneOf(['live', 'test']) },
    },
    statuses: [200, 409],
    handle: async ({ caller: { merchantId, who }, input: { mode, ...fields } }) => {
      if (mode === 'live' && modeOf(merchantId) === 'test') throw consoleErrors.only_in_live_data();
      const side = mode === 'test' ? testSideOf(merchantId) : merchantId;
      const row = await run({ merchantId: side, who }, createWebhook, fields);
      return RenderedJson.of<NewConsoleWebhook>({ ...describe(row), secret: row.plainSecret });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: changeParameters('merchant', typeList),
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input }) => {
      const { merchant_id: merchantId } = await find(caller, id);
      const row = await run({ merchantId, who: caller.who }, changeWebhook, { id, ...input });
      return RenderedJson.of<ConsoleWebhook>(describe(row));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<ConsoleWebhook>(describe(await runOn(caller, removeWebhook, id))),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/secret',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<NewWebhookSecret>({ secret: await runOn(caller, rotateSecret, id) }),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/test',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id } }) =>
      RenderedJson.of<LastAttempt>(await testDeliveries.send(caller, await find(caller, id))),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/replay',
    role: 'owner',
    parameters: replayParameters,
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id }, input }) => {
      const { merchant_id: merchantId } = await find(caller, id);
      await run({ merchantId, who: caller.who }, takeReplay, { id });
      const replay = replayOf(input, { onlyFailed: true, now: now() });
      return RenderedJson.of<Replayed>({ events: await replayEvents(database, { merchantId, id }, replay) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    parameters: {
      before: { type: int32(1) },
      limit: { type: int32(1, MAX_LIMIT) },
      only_failed: deliveriesParameters.only_failed,
    },
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input }) => {
      const { merchant_id: merchantId } = await find(caller, id);
      const { before, limit = DEFAULT_LIMIT, only_failed: onlyFailed = false } = input;
      const page = { before, limit, onlyFailed };
      const { deliveries, next } = await listDeliveries(database, { merchantId, id }, page);
      return RenderedJson.of<DeliveryList>({ deliveries, next: next === undefined ? null : `${next[0]}` });
    },
  });
}

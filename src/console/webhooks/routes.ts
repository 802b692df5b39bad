import type { FastifyInstance } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Connection, Database, Reader } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { modeOf, testSideOf } from '../../database/sides.ts';
import { errors } from '../../errors/errors.ts';
import type { EventType } from '../../events/event-types.ts';
import type { OverloadControl } from '../../http/gate/overload-control.ts';
import { oneOf, type ParameterType } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { takeAttempt } from '../../webhooks/attempt-budget.ts';
import { type DeliveryList, type LastAttempt, listDeliveries } from '../../webhooks/list-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookChange,
} from '../../webhooks/manage-webhooks.ts';
import {
  changedFields,
  changeParameters,
  createParameters,
  deliveriesPageOf,
  deliveriesParameters,
  newFields,
  replayOf,
  replayParameters,
} from '../../webhooks/parameters.ts';
import { findWebhook, listWebhooksOf, type WebhookName, type WebhookRow } from '../../webhooks/queries.ts';
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
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors, inSentences } from '../errors.ts';
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
interface Services {
  database: Database;
  config: Pick<Config, 'webhookNetworks' | 'budgets'>;
  now: () => number;
  sender: Sender;
  secrets: WebhookSecrets;
  overloadControl: OverloadControl;
}

/** Registers the endpoints for the webhooks of both of a merchant's sides. */
export function consoleWebhookRoutes(
  app: FastifyInstance,
  { database, config, now, sender, secrets, overloadControl }: Services,
): void {
  /** Merchants whose test delivery is in progress, so that none occupies more than one connection. */
  const testing = new Set<number>();
  const changeBy = ({ user }: ConsoleCaller): WebhookChange => ({
    who: describeUser(user),
    privateNetworks: config.webhookNetworks,
    secrets,
    now: now(),
  });
  const find = async (
    reader: Pick<Reader, 'first'>,
    { merchant }: ConsoleCaller,
    id: string,
  ): Promise<WebhookRow> => {
    const live = await reader.first(findWebhook, { merchantId: merchant.id, id });
    const row = live ?? (await reader.first(findWebhook, { merchantId: testSideOf(merchant.id), id }));
    if (row === undefined) throw errors.webhook_not_found(id);
    return row;
  };
  const nameOf = ({ merchant_id: merchantId, id }: WebhookRow): WebhookName => ({ merchantId, id });
  const write = <T>(caller: ConsoleCaller, work: (connection: Connection) => Promise<T>): Promise<T> =>
    database
      .transaction(
        async (connection) => {
          await connection.run(lockMerchant, { merchantId: caller.merchant.id });
          return await work(connection);
        },
        { merchantId: caller.merchant.id },
      )
      .catch(inSentences);

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
    handle: async ({ caller: { merchant } }) => {
      const sides = [merchant.id, testSideOf(merchant.id)];
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
    handle: async ({ caller, input: { mode = 'live', ...input } }) => {
      const { id } = caller.merchant;
      const row = await write(caller, (connection) =>
        createWebhook(connection, mode === 'test' ? testSideOf(id) : id, newFields(input), changeBy(caller)),
      );
      return RenderedJson.of<NewConsoleWebhook>({ ...describe(row), secret: row.plainSecret });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: changeParameters(typeList),
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input }) => {
      const fields = changedFields(input);
      const row = await write(caller, async (connection) => {
        const name = nameOf(await find(connection, caller, id));
        return (
          (await changeWebhook(connection, name, fields, changeBy(caller))) ?? find(connection, caller, id)
        );
      });
      return RenderedJson.of<ConsoleWebhook>(describe(row));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/webhooks/{id}',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      const row = await write(caller, async (connection) => {
        const found = await find(connection, caller, id);
        await removeWebhook(connection, nameOf(found), changeBy(caller));
        return found;
      });
      return RenderedJson.of<ConsoleWebhook>(describe(row));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/secret',
    role: 'owner',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      const secret = await write(caller, async (connection) => {
        const name = nameOf(await find(connection, caller, id));
        return await rotateSecret(connection, name, changeBy(caller));
      });
      return RenderedJson.of<NewWebhookSecret>({ secret: secret ?? '' });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/webhooks/{id}/test',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id } }) => {
      const row = await find(database, caller, id);
      const merchantId = caller.merchant.id;
      if (testing.has(merchantId)) throw consoleErrors.conflict('Another test delivery is in progress.');
      testing.add(merchantId);
      try {
        await database.transaction((connection) => takeAttempt(connection, config.budgets, row, now()), {
          merchantId,
        });
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
    handle: async ({ caller, path: { id }, input }) => {
      const name = nameOf(await find(database, caller, id));
      const replay = replayOf(input, { onlyFailed: true, now: now() });
      return RenderedJson.of<Replayed>({ events: await replayEvents(database, name, replay) });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    parameters: deliveriesParameters(MAX_LIMIT),
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input }) => {
      const name = nameOf(await find(database, caller, id));
      const page = deliveriesPageOf(input, DEFAULT_LIMIT);
      const list = await listDeliveries(database, name, page);
      if (list === undefined) throw errors.webhook_not_found(id);
      return RenderedJson.of<DeliveryList>(list);
    },
  });
}

import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID, testSideOf } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { boolean, cursor, int32, oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { nameMerchants } from '../../merchants/name-merchants.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import {
  listWebhooksOfMerchants,
  positionOf,
  type WebhookPosition,
} from '../../webhooks/list-of-merchants.ts';
import { changeWebhook, type WebhookNeeds } from '../../webhooks/manage-webhooks.ts';
import { listWebhooksOf } from '../../webhooks/queries.ts';
import { type WebhookState, webhookStates } from '../../webhooks/webhook.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import {
  describeMerchantWebhook,
  describeMerchantWebhooks,
  findMerchantWebhook,
  merchantWebhookInPath,
} from './merchant-webhooks.ts';
import {
  type MerchantWebhookPage,
  merchantWebhookList,
  merchantWebhookPage,
  merchantWebhookSuccess,
} from './webhook-schema.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** What the operator sees of merchants' webhooks, and that it can disable them. */
export function merchantWebhookEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { needs: WebhookNeeds },
): void {
  const { database, needs, now } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchant-webhooks',
    name: 'listMerchantWebhooks',
    tag: eventsTag,
    summary: 'List the webhooks of all merchants',
    description:
      'Lists the webhooks of all merchants in a state, without their secrets. Failing ones have the oldest failure first. ' +
      'Disabled ones are in the order in which they were disabled.',
    scope: 'events',
    pathParameters: {},
    parameters: {
      state: {
        type: oneOf(webhookStates),
        description: 'The state of the webhooks to list.',
        default: 'failing',
      },
      after: {
        type: cursor,
        description: 'The `next` of the page before.',
      },
      limit: {
        type: int32(1, MAX_LIMIT),
        description: 'The maximum number of webhooks.',
        default: DEFAULT_LIMIT,
      },
    },
    statuses: [200, 304],
    success: merchantWebhookPage,
    handle: async ({ request, reply, input: { state = 'failing', after, limit = DEFAULT_LIMIT } }) => {
      const position = after === undefined ? undefined : readPosition(state, after);
      const rows = await listWebhooksOfMerchants(database, { state, after: position, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const named = await nameMerchants(
        database,
        page.map(({ merchant_id: id }) => id),
      );
      const last = rows.length > limit ? page.at(-1) : undefined;
      const list: MerchantWebhookPage = {
        results: describeMerchantWebhooks(page, named, now()),
        next: last === undefined ? null : formatPosition(state, positionOf(state, last)),
      };
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/webhooks',
    name: 'listWebhooksOfMerchant',
    tag: eventsTag,
    summary: 'List a merchant’s webhooks',
    description: 'Lists the webhooks of both sides of a merchant, without their secrets, oldest first.',
    scope: 'events',
    pathParameters: merchantInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success: merchantWebhookList,
    handle: async ({ request, reply, path }) => {
      const merchant = await requireMerchant(database, path);
      const sides = [merchant.id, testSideOf(merchant.id)];
      const rows = await Promise.all(sides.map((merchantId) => database.all(listWebhooksOf, { merchantId })));
      const results = rows.flat().map((row) => describeMerchantWebhook(row, merchant, now()));
      await sendJson(request, reply, JSON.stringify({ results }));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/webhooks/{webhook}',
    name: 'retrieveMerchantWebhook',
    tag: eventsTag,
    summary: 'Retrieve a merchant’s webhook',
    description: 'Returns a webhook of a merchant without its secret.',
    scope: 'events',
    pathParameters: merchantWebhookInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success: merchantWebhookSuccess,
    handle: async ({ request, reply, path }) => {
      const { row, merchant } = await findMerchantWebhook(database, path);
      await sendJson(request, reply, JSON.stringify(describeMerchantWebhook(row, merchant, now())));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/webhooks/{webhook}',
    name: 'changeMerchantWebhook',
    tag: eventsTag,
    summary: 'Disable or enable a merchant’s webhook',
    description:
      'Disabling a webhook fails its pending deliveries. Enabling it does not resend them; use replay. The merchant sees ' +
      'who has disabled the webhook, and can enable it again. Repeating the request changes nothing.',
    scope: 'events',
    pathParameters: merchantWebhookInPath,
    parameters: {
      enabled: {
        type: boolean,
        required: true,
        description: 'Whether events are sent.',
        example: false,
      },
    },
    statuses: [200, 404],
    success: merchantWebhookSuccess,
    handle: async ({ request, reply, caller: { who }, path, input: { enabled } }) => {
      const found = await findMerchantWebhook(database, path);
      const { id, merchant_id: merchantId, disabled_at: disabledAt } = found.row;
      const isChange = enabled !== (disabledAt === null);
      const row = isChange
        ? await runVerb(
            services,
            { merchantId, who, ...needs },
            changeWebhook,
            { id, enabled },
            { usesLiveSide: true },
          )
        : found.row;
      await sendJson(request, reply, JSON.stringify(describeMerchantWebhook(row, found.merchant, now())));
    },
  });
}

const listOf = (state: WebhookState) => ({ merchantId: OPERATOR_ID, listing: `webhooks ${state}` });

function formatPosition(state: WebhookState, { time, id }: WebhookPosition): string {
  return encodeCursor(listOf(state), [time, id]);
}

/** @throws {DomainError} `invalid_parameters` */
function readPosition(state: WebhookState, after: string): WebhookPosition {
  const [time, id] = decodeCursor('after', after, listOf(state), ['integer', 'text']);
  return { time: Number(time), id: String(id) };
}

import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID, testSideOf } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { boolean, oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { nameMerchants } from '../../merchants/name-merchants.ts';
import { eventsTag } from '../../openapi/events/webhooks.ts';
import { cutPage } from '../../sync/cut-page.ts';
import {
  listWebhooksOfAllMerchants,
  listWebhooksOfMerchant,
  positionOf,
} from '../../webhooks/list-webhooks-of-all-merchants.ts';
import { changeWebhook, type WebhookNeeds } from '../../webhooks/manage-webhooks.ts';
import { listWebhooksOf } from '../../webhooks/queries.ts';
import { webhookStates } from '../../webhooks/webhook.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import {
  externalId,
  merchantInPath,
  merchantInQuery,
  requireMerchant,
} from '../merchants/merchant-parameters.ts';
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

/** What the operator sees of merchants' webhooks, and that it can disable them. */
export function merchantWebhookEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { needs: WebhookNeeds },
): void {
  const { database, needs, now } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchant-webhooks',
    name: 'listWebhooksOfAllMerchants',
    tag: eventsTag,
    summary: 'List the webhooks of all merchants',
    description:
      'Lists the webhooks of all merchants in a state, without their secrets. Failing ones have the oldest failure first. ' +
      'Disabled ones are in the order in which they were disabled. With `merchant`, lists webhooks of one side of this ' +
      'merchant instead of both sides of all merchants.',
    scope: 'events',
    pathParameters: {},
    parameters: {
      state: {
        type: oneOf(webhookStates),
        description: 'The state of the webhooks to list.',
        default: 'failing',
      },
      merchant: {
        type: externalId,
        description: 'Only webhooks of the merchant with this ID of the operator’s.',
        example: 'seller-4711',
      },
      test: {
        type: boolean,
        description: 'With `merchant`: whether to list the webhooks of the merchant’s test data instead.',
        default: false,
      },
      ...pageParameters('webhooks'),
    },
    statuses: [200, 304],
    success: merchantWebhookPage,
    handle: async ({ request, reply, input }) => {
      const { state = 'failing', merchant, test = false, after, limit = DEFAULT_LIMIT } = input;
      const found =
        merchant === undefined ? undefined : await merchantInQuery(database, 'merchant', merchant);
      const merchantId = found !== undefined && test ? testSideOf(found.id) : found?.id;
      const { results: rows, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'webhooks', selected: [state, merchantId], after },
        ['integer', 'text'],
        async (place) => {
          const position = place && { time: place[0], id: place[1] };
          const part = { state, after: position, limit: limit + 1 };
          const listed =
            merchantId === undefined
              ? await listWebhooksOfAllMerchants(database, part)
              : await listWebhooksOfMerchant(database, { ...part, merchantId });
          return cutPage(listed, limit, (row): [number, string] => {
            const { time, id } = positionOf(state, row);
            return [time, id];
          });
        },
      );
      const named = await nameMerchants(
        database,
        rows.map(({ merchant_id: id }) => id),
      );
      const list: MerchantWebhookPage = { results: describeMerchantWebhooks(rows, named, now()), next };
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/webhooks',
    name: 'listMerchantWebhooks',
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

import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { clearable, int32, oneOf, text } from '../../http/parameters/types.ts';
import { sendCreated, sendJson } from '../../http/responses/respond.ts';
import { MAX_REASON_LENGTH, merchantStates, putMerchant } from '../../merchants/change-merchant.ts';
import { asOperator } from '../../merchants/create-merchant.ts';
import { summarizeMerchant } from '../../merchants/list-merchants.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantsTag } from '../tags.ts';
import { failures, listMerchants } from './list-merchants.ts';
import { merchantInPath, requireMerchant } from './merchant-parameters.ts';
import { listedMerchantSuccess, merchantPage, merchantSuccess } from './merchant-schema.ts';
import { readActivity } from './read-activity.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;

export function merchantEndpoints(app: FastifyInstance, services: OperatorWriteServices): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}',
    name: 'putMerchant',
    tag: merchantsTag,
    summary: 'Create or change a merchant',
    description:
      'Creates the merchant, which needs a `name` and an ID that does not begin with `registered:`, or changes the fields that are sent. Others keep their values. ' +
      'Repeating the request changes nothing. From the response to `suspended` on, all nodes refuse the merchant’s keys ' +
      'with 401 and its imports, stop its imports, and its console shows why it is closed.',
    scope: 'merchants',
    pathParameters: merchantInPath,
    parameters: {
      name: {
        type: text(MAX_NAME_LENGTH),
        description:
          'A name that is not a number, has no invisible characters, and differs from the present and former names of ' +
          'other merchants by more than case and spaces. Required for a new merchant.',
        example: 'Alpine Vases',
      },
      email: {
        ...clearable(text(MAX_EMAIL_LENGTH)),
        description: 'The merchant’s email. `null` clears it.',
        example: 'shop@alpine-vases.example',
      },
      time_zone: {
        type: text(MAX_NAME_LENGTH),
        description:
          'The IANA zone that decides which month a sale belongs to; UTC for a new merchant without it. It cannot ' +
          'change once the merchant has schedules.',
        example: 'Europe/Vienna',
      },
      currency: {
        type: text(3),
        description: 'The ISO 4217 code of the currency of all amounts; USD for a new merchant without it.',
        example: 'EUR',
      },
      state: {
        type: oneOf(merchantStates),
        description: 'Whether the merchant can use Tradepost; `active` for a new merchant without it.',
      },
      suspension_reason: {
        ...clearable(text(MAX_REASON_LENGTH)),
        description:
          'Why the merchant is suspended, for its users: the console shows it. It is cleared when the merchant is ' +
          '`active` again, and only a suspended merchant can have one. `null` clears it.',
        example: 'Orders were not shipped for two weeks.',
      },
      request_limit: {
        ...clearable(int32(1)),
        description:
          'The rate limit of each key of the merchant, in requests a minute, instead of the setting `RATE_LIMIT`. ' +
          'Counts from the next request on. `null` clears it.',
        example: 6_000,
      },
      product_limit: {
        ...clearable(int32(1)),
        description:
          'How many products the merchant may have, without deleted ones, and as many test products. Its calls and ' +
          'imports that would create more are rejected; products that it has stay, and streams of the operator are ' +
          'not limited. `null` clears it.',
        example: 5_000,
      },
    },
    statuses: [200, 201],
    success: { ...merchantSuccess('The merchant after the change.'), creates: true },
    handle: async ({ request, reply, caller: { who }, path, input }) => {
      const { name, email, time_zone: timeZone, currency, state } = input;
      const { suspension_reason: suspensionReason } = input;
      const { request_limit: requestLimit, product_limit: productLimit } = input;
      const change = {
        externalId: path.external_id,
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email }),
        ...(timeZone !== undefined && { timeZone }),
        ...(currency !== undefined && { currency }),
        ...(state !== undefined && { state }),
        ...(suspensionReason !== undefined && { suspensionReason }),
        ...(requestLimit !== undefined && { requestLimit }),
        ...(productLimit !== undefined && { productLimit }),
      };
      const options = { everyNode: true };
      const { merchant, isNew } = await runVerb(
        services,
        { ...asOperator(services), who },
        putMerchant,
        change,
        options,
      );
      const send = isNew ? sendCreated : sendJson;
      await send(request, reply, JSON.stringify(summarizeMerchant(merchant)));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}',
    name: 'retrieveMerchant',
    tag: merchantsTag,
    summary: 'Retrieve a merchant',
    description: 'Returns the merchant, and what it does with live data.',
    scope: 'merchants',
    pathParameters: merchantInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success: listedMerchantSuccess,
    handle: async ({ request, reply, path }) => {
      const merchant = await requireMerchant(database, path);
      const [activity] = await readActivity(services, [merchant.id]);
      await sendJson(request, reply, JSON.stringify({ ...summarizeMerchant(merchant), activity }));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants',
    name: 'listMerchants',
    tag: merchantsTag,
    summary: 'List merchants',
    description:
      'Lists merchants page by page, oldest first, with what each of them does with live data. Recent calls were ' +
      'made in this clock hour or the one before.',
    scope: 'merchants',
    pathParameters: {},
    parameters: {
      query: {
        type: text(MAX_EMAIL_LENGTH),
        description: 'The beginning of the name, the external ID or the email, in any letter case.',
        example: 'alpine',
      },
      state: { type: oneOf(merchantStates), description: 'List only merchants in this state.' },
      failing: {
        type: oneOf(failures),
        description:
          'List only merchants with failing `calls` (at least five recent calls, and a fifth of them), or with ' +
          '`webhooks` that fail or that the service has disabled.',
      },
      ...pageParameters('merchants'),
    },
    statuses: [200, 304],
    success: merchantPage,
    handle: async ({ request, reply, input }) => {
      const { query, state, failing, after, limit = DEFAULT_LIMIT } = input;
      const suspended = state === undefined ? undefined : state === 'suspended';
      const page = await readPage(
        { merchantId: OPERATOR_ID, items: 'merchants', selected: [query, state, failing], after },
        ['integer'],
        (place) => listMerchants(services, { query, suspended, failing, after: place?.[0] ?? 0, limit }),
      );
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}

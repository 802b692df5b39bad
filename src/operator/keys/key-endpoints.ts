import type { FastifyInstance } from 'fastify';
import { KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import { requireOwnKey } from '../../api-keys/key-id.ts';
import { listKeyPage, requireKey } from '../../api-keys/list-keys.ts';
import { recordFields } from '../../api-keys/record-fields.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { scopes } from '../../api-keys/scopes.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { createMerchantKey } from '../../merchants/create-merchant-key.ts';
import { duration, listOf } from '../endpoint/parameter-types.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { merchantsTag } from '../tags.ts';
import {
  type CreatedMerchantKey,
  createdSchema,
  describeKey,
  describeListedKey,
  exampleKey,
  exampleListed,
  keySchema,
  type MerchantKeyPage,
  pageSchema,
} from './key-schema.ts';

const MAX_ID_LENGTH = 40;

const keyInPath = {
  ...merchantInPath,
  key: { type: text(MAX_ID_LENGTH), description: 'The ID of the key.', example: '12-3' },
};

export function keyEndpoints(app: FastifyInstance, services: OperatorWriteServices): void {
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/keys',
    name: 'listMerchantKeys',
    tag: merchantsTag,
    summary: 'List API keys of a merchant',
    description: 'Lists live keys, then test keys, both newest first.',
    scope: 'access',
    pathParameters: merchantInPath,
    parameters: pageParameters('keys'),
    statuses: [200, 304, 404],
    success: {
      description: 'A page of keys.',
      schema: pageSchema,
      examples: { page: { summary: 'The last page', value: { results: [exampleListed], next: null } } },
    },
    handle: async ({ request, reply, path, input: { after, limit = DEFAULT_LIMIT } }) => {
      const { id: merchantId } = await requireMerchant(services.database, path);
      const { keys, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'keys', selected: [merchantId], after },
        ['text'],
        async (place) => {
          const before = place && requireOwnKey(merchantId, place[0]);
          const page = await listKeyPage(services, merchantId, { before, limit });
          return { ...page, next: page.next === null ? undefined : ([page.next] as const) };
        },
      );
      const results = keys.map(describeListedKey);
      await sendJson(request, reply, JSON.stringify({ results, next } satisfies MerchantKeyPage));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/keys',
    name: 'createMerchantKey',
    tag: merchantsTag,
    summary: 'Create an API key of a merchant',
    description: 'Creates a key with which software calls v1 for the merchant. The token is returned once.',
    scope: 'access',
    pathParameters: merchantInPath,
    parameters: {
      name: {
        type: text(KEY_NAME_LENGTH),
        required: true,
        description: 'The name of the key, such as the software that uses it.',
        example: 'ERP',
      },
      scopes: {
        type: listOf(scopes),
        description:
          'What the key may do. All scopes but `stock`, `customers` and `webhooks` by default; `write` includes `stock`.',
      },
      expires_in: {
        type: duration,
        description: 'The lifetime of the key. It does not expire by default.',
        example: '90d',
      },
      mode: {
        type: oneOf(['live', 'test']),
        description: 'Whether the key uses live or test data; `live` by default.',
      },
      fields: {
        type: oneOf(recordFields),
        description:
          'Which fields records have: `original` adds fields that clients of other versions of the API read; `standard` by ' +
          'default.',
      },
    },
    statuses: [201, 404, 409],
    success: {
      status: 201,
      description: 'The key, with its token.',
      schema: createdSchema,
      examples: {
        key: {
          summary: 'A key that expires',
          value: { ...exampleKey, access_token: 'tp_EXAMPLE' } satisfies CreatedMerchantKey,
        },
      },
    },
    write: async (operator, { path, input }) => {
      const { id: merchantId } = await requireMerchant(operator.connection, path);
      const context = { ...operator, merchantId };
      const { expires_in: lifetime, ...rest } = input;
      const key = { ...rest, expiresAt: lifetime === undefined ? null : context.now + lifetime };
      const { id, token } = await createMerchantKey(context, key);
      return {
        ...describeKey(await requireKey(context, requireOwnKey(merchantId, id))),
        access_token: token,
      };
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/merchants/{external_id}/keys/{key}',
    name: 'revokeMerchantKey',
    tag: merchantsTag,
    summary: 'Revoke an API key of a merchant',
    description:
      'Revokes the key permanently. From the response on, all nodes refuse its tokens with 401. Repeating it changes nothing.',
    scope: 'access',
    pathParameters: keyInPath,
    parameters: {},
    statuses: [200, 404, 409],
    success: {
      description: 'The key.',
      schema: keySchema,
      examples: { key: { summary: 'A revoked key', value: { ...exampleKey, state: 'revoked' } } },
    },
    write: async (operator, { path }) => {
      const { id: merchantId } = await requireMerchant(operator.connection, path);
      return describeKey(await revokeKey({ ...operator, merchantId }, { id: path.key }));
    },
  });
}

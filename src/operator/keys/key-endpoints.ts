import type { FastifyInstance } from 'fastify';
import { KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import { requireOwnKey } from '../../api-keys/key-id.ts';
import { type KeySummary, listKeyPage, requireKey } from '../../api-keys/list-keys.ts';
import { recordFields } from '../../api-keys/record-fields.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { scopes } from '../../api-keys/scopes.ts';
import { int32, oneOf, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { createMerchantKey } from '../../merchants/create-merchant-key.ts';
import { duration, listOf } from '../endpoint/parameter-types.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { merchantsTag } from '../tags.ts';

const MAX_ID_LENGTH = 40;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export type MerchantKey = Pick<
  KeySummary,
  'id' | 'name' | 'state' | 'mode' | 'scopes' | 'created_at' | 'expires_at' | 'fields'
>;

export type ListedMerchantKey = Omit<KeySummary, 'old_token_expires_at'>;

export type CreatedMerchantKey = MerchantKey & { access_token: string };

const fields: { [Name in keyof MerchantKey]: Schema } = {
  id: { type: 'string', description: 'Identifies the key in other calls, in the console and in logs.' },
  name: { type: 'string' },
  state: { type: 'string', enum: ['active', 'expired', 'revoked'] },
  mode: { type: 'string', enum: ['live', 'test'], description: 'Whether it uses live or test data.' },
  scopes: { type: 'array', items: { type: 'string', enum: scopes } },
  created_at: time,
  expires_at: { ...orNull(time), description: 'Null for a key that does not expire.' },
  fields: {
    type: 'string',
    enum: recordFields,
    description:
      'Which fields records have: `original` adds fields that clients of other versions of the API read.',
  },
};

const keySchema = record<MerchantKey>('MerchantKey', 'An API key of a merchant.', fields);
const createdSchema = record<CreatedMerchantKey>('CreatedMerchantKey', 'A new API key of a merchant.', {
  ...fields,
  access_token: {
    type: 'string',
    description: 'The token. It cannot be read again, because only its hash is stored.',
  },
});

const listedSchema = record<ListedMerchantKey>(
  'ListedMerchantKey',
  'An API key of a merchant, and its last use.',
  {
    ...fields,
    token: { type: 'string', description: 'The first and last characters of the newest token.' },
    revoked_at: { ...orNull(time), description: 'Null unless the key is revoked.' },
    last_used_at: { ...orNull(time), description: 'When the key was last used, to the minute; or null.' },
    last_erp_name: {
      ...orNull({ type: 'string' }),
      description: 'The software that used it last, as `X-ERP-Name` says; or null.',
    },
    last_user_agent: {
      ...orNull({ type: 'string' }),
      description: 'The `User-Agent` that used it last, or null.',
    },
  },
);

interface KeyPage {
  results: ListedMerchantKey[];
  next: string | null;
}

const pageSchema = record<KeyPage>('MerchantKeyPage', 'A page of API keys of a merchant.', {
  results: { type: 'array', items: listedSchema },
  next: orNull({
    type: 'string',
    description: 'The value of `before` for the next page; null on the last one.',
  }),
});

const exampleKey: MerchantKey = {
  id: '12-3',
  name: 'ERP',
  state: 'active',
  mode: 'live',
  scopes: ['read', 'write'],
  created_at: '2026-03-02T09:31:00Z',
  expires_at: '2026-05-31T09:31:00Z',
  fields: 'standard',
};

const exampleListed: ListedMerchantKey = {
  ...exampleKey,
  token: 'tp_aB…9f3Q',
  revoked_at: null,
  last_used_at: '2026-03-05T09:31:00Z',
  last_erp_name: 'Alpine ERP',
  last_user_agent: 'alpine-erp/4.2',
};

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
    scope: 'keys',
    pathParameters: merchantInPath,
    parameters: {
      before: {
        type: text(MAX_ID_LENGTH),
        description: 'List the keys after this one: the `next` of the page before.',
        example: '12-3',
      },
      limit: {
        type: int32(1, MAX_LIMIT),
        description: 'The maximum number of keys.',
        default: DEFAULT_LIMIT,
      },
    },
    statuses: [200, 304, 404],
    success: {
      description: 'A page of keys.',
      schema: pageSchema,
      examples: { page: { summary: 'The last page', value: { results: [exampleListed], next: null } } },
    },
    handle: async ({ request, reply, path, input: { before, limit = DEFAULT_LIMIT } }) => {
      const { id: merchantId } = await requireMerchant(services.database, path);
      const from = before === undefined ? undefined : requireOwnKey(merchantId, before);
      const { keys, next } = await listKeyPage(services, merchantId, { before: from, limit });
      const results = keys.map(({ old_token_expires_at: _, ...key }): ListedMerchantKey => key);
      await sendJson(request, reply, JSON.stringify({ results, next } satisfies KeyPage));
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
      return { ...describe(await requireKey(context, requireOwnKey(merchantId, id))), access_token: token };
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
      return describe(await revokeKey({ ...operator, merchantId }, { id: path.key }));
    },
  });
}

function describe({
  id,
  name,
  state,
  mode,
  scopes,
  created_at,
  expires_at,
  fields,
}: KeySummary): MerchantKey {
  return { id, name, state, mode, scopes, created_at, expires_at, fields };
}

import type { FastifyInstance } from 'fastify';
import { KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import { requireOwnKey } from '../../api-keys/key-id.ts';
import { type KeySummary, requireKey } from '../../api-keys/list-keys.ts';
import { recordFields } from '../../api-keys/record-fields.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { scopes } from '../../api-keys/scopes.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { createMerchantKey } from '../../merchants/create-merchant-key.ts';
import { duration, listOf } from '../endpoint/parameter-types.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { merchantsTag } from '../tags.ts';

const MAX_ID_LENGTH = 40;

export type MerchantKey = Pick<
  KeySummary,
  'id' | 'name' | 'state' | 'mode' | 'scopes' | 'created_at' | 'expires_at' | 'fields'
>;

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

const keyInPath = {
  ...merchantInPath,
  key: { type: text(MAX_ID_LENGTH), description: 'The ID of the key.', example: '12-3' },
};

export function keyEndpoints(app: FastifyInstance, services: OperatorWriteServices): void {
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

import { KEY_NAME_LENGTH } from '../../api-keys/create-key.ts';
import type { KeySummary } from '../../api-keys/list-keys.ts';
import { scopes } from '../../api-keys/scopes.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters } from '../../http/parameters/bind.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { duration, listOf } from '../endpoint/parameter-types.ts';
import { merchantsTag } from '../merchants/references.ts';

export const keyParameters = {
  name: { type: text(KEY_NAME_LENGTH), required: true },
  scopes: { type: listOf(scopes) },
  expires_in: { type: duration },
  mode: { type: oneOf(['live', 'test']) },
} as const;

export type MerchantKey = Pick<
  KeySummary,
  'id' | 'name' | 'state' | 'mode' | 'scopes' | 'created_at' | 'expires_at'
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
};

/** `POST /merchants/{external_id}/keys`. */
export const createKeyReference: EndpointReference<typeof keyParameters> = {
  name: 'createMerchantKey',
  tag: merchantsTag,
  summary: 'Create an API key of a merchant',
  description: 'Creates a key with which software calls v1 for the merchant. The token is returned once.',
  parameters: {
    name: { description: 'The name of the key, such as the software that uses it.', example: 'ERP' },
    scopes: { description: 'What the key may do. All scopes by default.' },
    expires_in: { description: 'The lifetime of the key. It does not expire by default.', example: '90d' },
    mode: { description: 'Whether the key uses live or test data; `live` by default.' },
  },
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
};

/** `DELETE /merchants/{external_id}/keys/{key}`. */
export const revokeKeyReference: EndpointReference<NoParameters> = {
  name: 'revokeMerchantKey',
  tag: merchantsTag,
  summary: 'Revoke an API key of a merchant',
  description:
    'Revokes the key permanently. From the response on, all nodes refuse its tokens with 401. Repeating it changes nothing.',
  parameters: {},
  success: {
    description: 'The key.',
    schema: keySchema,
    examples: { key: { summary: 'A revoked key', value: { ...exampleKey, state: 'revoked' } } },
  },
};

import type { KeySummary } from '../../api-keys/list-keys.ts';
import { recordFields } from '../../api-keys/record-fields.ts';
import { scopes } from '../../api-keys/scopes.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';

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

export const keySchema = record<MerchantKey>('MerchantKey', 'An API key of a merchant.', fields);
export const createdSchema = record<CreatedMerchantKey>(
  'CreatedMerchantKey',
  'A new API key of a merchant.',
  {
    ...fields,
    access_token: {
      type: 'string',
      description: 'The token. It cannot be read again, because only its hash is stored.',
    },
  },
);

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

export interface MerchantKeyPage {
  results: ListedMerchantKey[];
  next: string | null;
}

export const pageSchema = record<MerchantKeyPage>('MerchantKeyPage', 'A page of API keys of a merchant.', {
  results: { type: 'array', items: listedSchema },
  next: nextSchema,
});

export const exampleKey: MerchantKey = {
  id: '12-3',
  name: 'ERP',
  state: 'active',
  mode: 'live',
  scopes: ['read', 'write'],
  created_at: '2026-03-02T09:31:00Z',
  expires_at: '2026-05-31T09:31:00Z',
  fields: 'standard',
};

export const exampleListed: ListedMerchantKey = {
  ...exampleKey,
  token: 'tp_aB…9f3Q',
  revoked_at: null,
  last_used_at: '2026-03-05T09:31:00Z',
  last_erp_name: 'Alpine ERP',
  last_user_agent: 'alpine-erp/4.2',
};

/** Returns what responses say about a key. */
export function describeKey({
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

/** Returns what lists say about a key. */
export function describeListedKey(key: KeySummary): ListedMerchantKey {
  const { token, revoked_at, last_used_at, last_erp_name, last_user_agent } = key;
  return { ...describeKey(key), token, revoked_at, last_used_at, last_erp_name, last_user_agent };
}

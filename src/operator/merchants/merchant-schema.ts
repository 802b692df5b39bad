import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import { merchantStates } from '../../merchants/change-merchant.ts';
import type { MerchantSummary } from '../../merchants/list-merchants.ts';
import type { ListedMerchant } from './list-merchants.ts';
import { externalId } from './merchant-parameters.ts';
import type { MerchantActivity } from './read-activity.ts';

const merchantFields: { [Name in keyof MerchantSummary]: Schema } = {
  id: { type: 'integer', description: 'Tradepost’s ID, with which the IDs of the merchant’s keys begin.' },
  external_id: {
    ...externalId.schema,
    description:
      'The operator’s own ID. If the merchant registered itself, the ID begins with `registered:`.',
  },
  name: { type: 'string', description: 'The unique name.' },
  email: orNull({ type: 'string' }),
  time_zone: { type: 'string', description: 'The IANA zone that decides which month a sale belongs to.' },
  currency: { type: 'string', description: 'The ISO 4217 code of the currency of all amounts.' },
  state: {
    type: 'string',
    enum: merchantStates,
    description: 'The keys, console sessions and imports of a `suspended` merchant are refused.',
  },
  suspension_reason: {
    ...orNull({ type: 'string' }),
    description: 'What the merchant is told about its suspension; null if nothing.',
  },
  request_limit: {
    ...orNull({ type: 'integer', minimum: 1 }),
    description: 'The rate limit of each key, in requests a minute; null for the setting `RATE_LIMIT`.',
  },
  product_limit: {
    ...orNull({ type: 'integer', minimum: 1 }),
    description: 'How many products the merchant may have; null for any number.',
  },
  created_at: time,
};

const merchantSchema = record<MerchantSummary>('Merchant', 'A merchant.', merchantFields);

const count = { type: 'integer', minimum: 0 } as const;

const activitySchema = record<MerchantActivity>('MerchantActivity', 'What a merchant does with live data.', {
  products: { ...count, description: 'The number of products, without deleted ones.' },
  last_call_at: {
    ...orNull(time),
    description: 'When an API key was last used, to the minute; null if none was.',
  },
  recent_calls: { ...count, description: 'The number of calls in this clock hour and the one before.' },
  recent_failed_calls: { ...count, description: 'How many of the recent calls failed.' },
  calls_failing: {
    type: 'boolean',
    description: 'Whether at least five of the recent calls failed, and at least a fifth of them.',
  },
  failing_webhooks: { ...count, description: 'The number of webhooks whose newest attempts have failed.' },
  disabled_webhooks: {
    ...count,
    description:
      'The number of webhooks that the service has disabled, because they failed for days or are gone.',
  },
  running_import: { ...orNull({ type: 'string' }), description: 'The ID of the import that runs, or null.' },
});

const listedSchema = record<ListedMerchant>(
  'ListedMerchant',
  'A merchant, and what it does with live data.',
  { ...merchantFields, activity: activitySchema },
);

const exampleMerchant: MerchantSummary = {
  id: 12,
  external_id: 'seller-4711',
  name: 'Alpine Vases',
  email: 'shop@alpine-vases.example',
  time_zone: 'Europe/Vienna',
  currency: 'EUR',
  state: 'active',
  suspension_reason: null,
  request_limit: null,
  product_limit: 5_000,
  created_at: '2026-03-02T09:30:00Z',
};

const exampleListed: ListedMerchant = {
  ...exampleMerchant,
  activity: {
    products: 1_840,
    last_call_at: '2026-03-05T09:31:00Z',
    recent_calls: 412,
    recent_failed_calls: 3,
    calls_failing: false,
    failing_webhooks: 0,
    disabled_webhooks: 0,
    running_import: null,
  },
};

interface MerchantPage {
  results: ListedMerchant[];
  next: string | null;
}

const pageSchema = record<MerchantPage>('MerchantPage', 'A page of merchants.', {
  results: { type: 'array', items: listedSchema },
  next: nextSchema,
});

/** The response of a call that returns one merchant. */
export function merchantSuccess(description: string): Success {
  const examples = { merchant: { summary: 'An active merchant', value: exampleMerchant } };
  return { description, schema: merchantSchema, examples };
}

/** The response of the call that returns one merchant with its activity. */
export const listedMerchantSuccess: Success = {
  description: 'The merchant.',
  schema: listedSchema,
  examples: { merchant: { summary: 'An active merchant', value: exampleListed } },
};

/** The response of a call that lists merchants. */
export const merchantPage: Success = {
  description: 'A page of merchants.',
  schema: pageSchema,
  examples: { page: { summary: 'The last page', value: { results: [exampleListed], next: null } } },
};

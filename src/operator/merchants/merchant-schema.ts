import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, time } from '../../http/schema.ts';
import { merchantStates } from '../../merchants/change-merchant.ts';
import type { MerchantSummary } from '../../merchants/list-merchants.ts';
import { externalId } from './merchant-parameters.ts';

const merchantSchema = record<MerchantSummary>('Merchant', 'A merchant.', {
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
  created_at: time,
});

const exampleMerchant: MerchantSummary = {
  id: 12,
  external_id: 'seller-4711',
  name: 'Alpine Vases',
  email: 'shop@alpine-vases.example',
  time_zone: 'Europe/Vienna',
  currency: 'EUR',
  state: 'active',
  created_at: '2026-03-02T09:30:00Z',
};

interface MerchantPage {
  results: MerchantSummary[];
  next: string | null;
}

const pageSchema = record<MerchantPage>('MerchantPage', 'A page of merchants.', {
  results: { type: 'array', items: merchantSchema },
  next: orNull({
    type: 'string',
    description: 'The value of `after` for the next page; null on the last one.',
  }),
});

/** The response of a call that returns one merchant. */
export function merchantSuccess(description: string): Success {
  const examples = { merchant: { summary: 'An active merchant', value: exampleMerchant } };
  return { description, schema: merchantSchema, examples };
}

/** The response of a call that lists merchants. */
export const merchantPage: Success = {
  description: 'A page of merchants.',
  schema: pageSchema,
  examples: { page: { summary: 'The last page', value: { results: [exampleMerchant], next: null } } },
};

import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters, ParameterDefinition } from '../../http/parameters/bind.ts';
import { orNull, record, time } from '../../http/schema.ts';
import { merchantStates } from '../../merchants/change-merchant.ts';
import type { MerchantSummary } from '../../merchants/list-merchants.ts';
import { externalId } from './merchant-parameters.ts';

export const merchantsTag = {
  name: 'Merchants',
  description: 'Merchants, their API keys and the users of their consoles.',
};

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

type Named<Name extends string> = Record<Name, ParameterDefinition>;

/** `PUT /merchants/{external_id}`. */
export const putMerchantReference: EndpointReference<
  Named<'name' | 'email' | 'time_zone' | 'currency' | 'state'>
> = {
  name: 'putMerchant',
  tag: merchantsTag,
  summary: 'Create or change a merchant',
  description:
    'Creates the merchant, which needs a `name` and an ID that does not begin with `registered:`, or changes the fields that are sent. Others keep their values. ' +
    'Repeating the request changes nothing. From the response to `suspended` on, all nodes refuse the merchant’s keys ' +
    'with 401 and its imports, stop its imports, and its console shows why it is closed.',
  parameters: {
    name: {
      description:
        'A name that is not a number, has no invisible characters, and differs from the present and former names of ' +
        'other merchants by more than case and spaces. Required for a new merchant.',
      example: 'Alpine Vases',
    },
    email: { description: 'The merchant’s email. `null` clears it.', example: 'shop@alpine-vases.example' },
    time_zone: {
      description:
        'The IANA zone that decides which month a sale belongs to; UTC for a new merchant without it. It cannot ' +
        'change once the merchant has schedules.',
      example: 'Europe/Vienna',
    },
    currency: {
      description: 'The ISO 4217 code of the currency of all amounts; USD for a new merchant without it.',
      example: 'EUR',
    },
    state: { description: 'Whether the merchant can use Tradepost; `active` for a new merchant without it.' },
  },
  success: {
    description: 'The merchant after the change.',
    schema: merchantSchema,
    examples: { merchant: { summary: 'An active merchant', value: exampleMerchant } },
    creates: true,
  },
};

/** `GET /merchants/{external_id}`. */
export const retrieveMerchantReference: EndpointReference<NoParameters> = {
  name: 'retrieveMerchant',
  tag: merchantsTag,
  summary: 'Retrieve a merchant',
  description: 'Returns the merchant.',
  parameters: {},
  success: {
    description: 'The merchant.',
    schema: merchantSchema,
    examples: { merchant: { summary: 'An active merchant', value: exampleMerchant } },
  },
};

/** `GET /merchants`. */
export function listMerchantsReference(defaultLimit: number): EndpointReference<Named<'after' | 'limit'>> {
  return {
    name: 'listMerchants',
    tag: merchantsTag,
    summary: 'List merchants',
    description: 'Lists merchants page by page, oldest first.',
    parameters: {
      after: {
        description: 'List the merchants after this one: the `next` of the page before.',
        example: 'seller-4711',
      },
      limit: { description: 'The maximum number of merchants.', default: defaultLimit },
    },
    success: {
      description: 'A page of merchants.',
      schema: pageSchema,
      examples: { page: { summary: 'The last page', value: { results: [exampleMerchant], next: null } } },
    },
  };
}

import { type ParameterDefinitions, propertiesOf } from '../../http/parameters/bind.ts';
import { textValue } from '../../http/parameters/raw-parameters.ts';
import type { ParameterType } from '../../http/parameters/types.ts';
import { amount, categoryLevels, int32, text } from '../../http/parameters/types.ts';
import { nonNegativeNumber, record, type Schema, time } from '../../http/schema.ts';
import { amountOf, MAX_UNITS } from '../../shared/amounts.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { lossReasons } from '../decide/loss-reasons.ts';
import { DEFAULT_HOLD_S, type PlacedRecord, type RequestRecord } from './auction.ts';
import type { SentReference } from './merchant-ids.ts';

export const MAX_REQUESTS = 100;
/** Of all requests of a call. */
export const MAX_PLACES = 200;
export const MAX_COUNT = 50;
const MAX_HOLD_S = 86_400;
const MAX_KEY = 100;
const MAX_CANDIDATES = 500;
const MAX_EXCLUDED = 100;
/** Longer than any ID, so that an unknown one is ignored like others. */
const id = text(1_000);
const MAX_FLOOR = amountOf(MAX_UNITS);
const CURRENCY = /^[A-Z]{3}$/;

const currency: ParameterType<string> = {
  expected: 'an ISO 4217 code, such as USD',
  schema: { type: 'string', pattern: CURRENCY.source },
  read: ({ kind, text: code }) => (kind === 'string' && CURRENCY.test(code) ? code : undefined),
};

const floor: ParameterType<number> = {
  expected: `an amount from 0 to ${MAX_FLOOR}, such as 0.05`,
  schema: { ...amount.schema, maximum: MAX_FLOOR },
  read: (parameter) => {
    const sent = amount.read(parameter);
    return typeof sent === 'number' && sent <= MAX_FLOOR ? sent : undefined;
  },
};

/** A list of `{"merchant", "identifier"}`. */
function references(maximum: number, mayBeMerchant: boolean): ParameterType<SentReference[]> {
  const required = mayBeMerchant ? ['merchant'] : ['merchant', 'identifier'];
  const expected = mayBeMerchant
    ? `up to ${maximum} objects with a merchant, or with a merchant and an identifier`
    : `1 to ${maximum} objects with a merchant and an identifier`;
  return {
    expected,
    isNested: true,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { merchant: id.schema, identifier: id.schema },
        required,
        additionalProperties: false,
      },
      minItems: mayBeMerchant ? 0 : 1,
      maxItems: maximum,
    },
    read: ({ kind, text: json }) => {
      const list: unknown = kind === 'nested' ? JSON.parse(json) : undefined;
      if (!Array.isArray(list) || (list.length === 0 && !mayBeMerchant)) return undefined;
      if (list.length > maximum) return new InvalidValue(`expected ${expected}, found ${list.length}`);
      const read: SentReference[] = [];
      for (const [index, item] of list.entries()) {
        const reference = readReference(item, index);
        if (reference === undefined || reference instanceof InvalidValue) return reference;
        if (reference.identifier === null && !mayBeMerchant) return undefined;
        read.push(reference);
      }
      return read;
    },
  };
}

function readReference(item: unknown, index: number): SentReference | InvalidValue | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { merchant, identifier = null, ...others } = item as Record<string, unknown>;
  if (Object.keys(others).length > 0 || merchant === undefined) return undefined;
  const invalid = (name: string): InvalidValue =>
    new InvalidValue(`expected ${id.expected} in [${index}][${name}], in valid UTF-8 without NUL characters`);
  if (!isId(merchant)) return invalid('merchant');
  if (identifier !== null && !isId(identifier)) return invalid('identifier');
  return { merchant, identifier };
}

function isId(value: unknown): value is string {
  if (typeof value !== 'string' || value.trim() === '') return false;
  const parameter = textValue('', value, 'string');
  return parameter.kind !== 'malformed' && id.read(parameter) === value;
}

/** The parameters of one request (contract for campaigns, “Asking for placements”). */
export const requestParameters = {
  key: {
    type: text(MAX_KEY),
    required: true,
    description:
      'Your name of this request. The same key within 24 hours returns the same placements, and reserves nothing again.',
    example: 'auction-2026-02-11-1800',
  },
  count: { type: int32(1, MAX_COUNT), description: 'How many places there are. Default: 1.', example: 2 },
  currency: {
    type: currency,
    description:
      'Only campaigns of merchants with this currency compete. Required if merchants have several.',
    example: 'USD',
  },
  type: { type: id, description: 'Only campaigns of this type compete.' },
  category: {
    type: categoryLevels,
    description: 'Only products of this category compete: its first level, or its first two.',
    example: 'Home | Vases',
  },
  products: {
    type: references(MAX_CANDIDATES, false),
    description:
      'Only these products compete, for example the results of a search. Without it, every product does.',
  },
  exclude: {
    type: references(MAX_EXCLUDED, true),
    description: 'These products, or all products of these merchants, do not compete.',
  },
  max_per_merchant: {
    type: int32(1),
    description: 'How many places one merchant can get. Default: any number.',
  },
  max_per_campaign: {
    type: int32(1),
    description: 'How many places one campaign can get. Default: any number.',
  },
  floor: {
    type: floor,
    description:
      'The least price, in the major unit. Lower bids do not compete. It is rounded up to the minor unit, and is at ' +
      'least one. Default: the setting `AD_FLOOR`.',
    example: 0.05,
  },
  hold: {
    type: int32(1, MAX_HOLD_S),
    description: `After how many seconds a placement is released if its outcome is not reported. Default: ${DEFAULT_HOLD_S}.`,
    example: 900,
  },
} as const satisfies ParameterDefinitions;

const requestSchema: Schema = {
  title: 'PlacementRequest',
  description: 'Asks for one or more places.',
  type: 'object',
  properties: propertiesOf(requestParameters),
  required: ['key'],
  additionalProperties: false,
};

/** The requests of a call, each as JSON text. */
export const sentRequests: ParameterType<string[]> = {
  expected: `a list of 1 to ${MAX_REQUESTS} objects`,
  isNested: true,
  schema: { type: 'array', items: requestSchema, minItems: 1, maxItems: MAX_REQUESTS },
  read: ({ kind, text: json }) => {
    const list: unknown = kind === 'nested' ? JSON.parse(json) : undefined;
    if (!Array.isArray(list) || list.length === 0) return undefined;
    if (list.length > MAX_REQUESTS)
      return new InvalidValue(`expected at most ${MAX_REQUESTS} requests, found ${list.length}`);
    return list.map((each) => JSON.stringify(each));
  },
};

export const exampleRequests = [
  {
    key: 'auction-2026-02-11-1800',
    currency: 'USD',
    category: 'Home | Vases',
    count: 2,
    max_per_merchant: 1,
  },
];

const count: Schema = { type: 'integer', minimum: 0 };

export const requestResultsSchema = record<{ results: RequestRecord[] }>(
  'PlacementRequestResults',
  'What the requests of a call got, in their order.',
  {
    results: {
      type: 'array',
      items: record<RequestRecord>('PlacementRequestResult', 'What a request got.', {
        key: { type: 'string' },
        placements: {
          type: 'array',
          description: 'The best first. They are stored when the response is sent.',
          items: record<PlacedRecord>('PlacedProduct', 'A place that a product has won.', {
            placement_id: { type: 'string', description: 'For its outcome, and for its schedule.' },
            merchant: { type: 'string', description: 'The operator’s own ID of the merchant.' },
            product_identifier: { type: 'string', description: 'The unique ID of the product.' },
            campaign_id: { type: 'string', description: 'The `internal_id` of the campaign.' },
            bid: nonNegativeNumber,
            price: { ...nonNegativeNumber, description: 'What the place costs once it is delivered.' },
            expires_at: { ...time, description: 'When it is released if its outcome is not reported.' },
          }),
        },
        unfilled: { ...count, description: 'How many places nobody gets.' },
        losers: {
          type: 'object',
          description: 'How many products lost for each reason.',
          properties: Object.fromEntries(lossReasons.map((reason) => [reason, count])),
          additionalProperties: false,
        },
      }),
    },
  },
);

export const exampleResults: { results: RequestRecord[] } = {
  results: [
    {
      key: 'auction-2026-02-11-1800',
      placements: [
        {
          placement_id: '12.01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
          merchant: 'seller-4711',
          product_identifier: 'VASE-7',
          campaign_id: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
          bid: 0.5,
          price: 0.42,
          expires_at: '2026-02-11T18:15:00Z',
        },
      ],
      unfilled: 1,
      losers: { outbid: 17, daily_budget: 2 },
    },
  ],
};

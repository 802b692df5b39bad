import type { Success } from '../../http/endpoint/declaration.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { orNull, record, type Schema, time } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import type { FailedRequest, FailedRequestList } from '../../requests/failed-request.ts';
import type { FailureCause } from '../../requests/group-failures.ts';
import { exampleNamedMerchant, namedMerchantFields } from '../merchants/named-merchant-schema.ts';

export interface AffectedMerchant extends NamedMerchant {
  calls: number;
}

export interface CallGroup extends FailureCause {
  calls: number;
  merchants: number;
  affected: AffectedMerchant[];
  last_at: string;
}

export interface CallGroupList {
  since: string;
  calls: number;
  groups: CallGroup[];
  more: boolean;
}

const count: Schema = { type: 'integer', minimum: 0 };
const status: Schema = {
  type: 'integer',
  description: 'The status of the response; 499 if the client closed the connection.',
};
const error: Schema = {
  ...orNull({ type: 'string' }),
  description: 'The name of the error; null if the response had none.',
};
const path: Schema = {
  type: 'string',
  description: 'The path of the endpoint; the beginning of a path that no endpoint has.',
};

const affectedSchema = record<AffectedMerchant>('AffectedMerchant', 'A merchant whose calls fail.', {
  ...namedMerchantFields,
  calls: { ...count, description: 'The number of the merchant’s failed calls in the group.' },
});

const groupSchema = record<CallGroup>('CallGroup', 'Failed calls with the same cause and endpoint.', {
  status,
  error,
  method: { type: 'string' },
  path,
  calls: { ...count, description: 'The number of failed calls.' },
  merchants: { ...count, description: 'The number of merchants whose calls have failed.' },
  affected: {
    type: 'array',
    items: affectedSchema,
    description: 'The merchants with the most failed calls.',
  },
  last_at: { ...time, description: 'When the last of the calls failed.' },
});

const exampleGroup: CallGroup = {
  status: 400,
  error: 'invalid_parameters',
  method: 'POST',
  path: '/v1/products/batch',
  calls: 214,
  merchants: 1,
  affected: [{ ...exampleNamedMerchant, calls: 214 }],
  last_at: '2026-03-02T17:04:05Z',
};

const exampleList: CallGroupList = {
  since: '2026-03-01T17:05:00Z',
  calls: 214,
  groups: [exampleGroup],
  more: false,
};

export const callGroupsSuccess: Success = {
  description: 'The groups.',
  schema: record<CallGroupList>('CallGroupList', 'Failed calls of all merchants, by cause and endpoint.', {
    since: {
      ...time,
      description:
        'The time from which on all failed calls are counted, later than `hours` ago if there are many.',
    },
    calls: { ...count, description: 'The number of failed calls in all groups that match.' },
    groups: { type: 'array', items: groupSchema },
    more: { type: 'boolean', description: 'Whether there are further groups.' },
  }),
  examples: { groups: { summary: 'One cause', value: exampleList } },
};

const failedCallSchema = record<FailedRequest>('FailedCall', 'A failed call of a merchant.', {
  id: { type: 'string' },
  at: { ...time, description: 'When the response ended.' },
  key: { type: 'string', description: 'The ID of the key, such as `12-3`, or `12-t3` for a test key.' },
  client: { ...orNull({ type: 'string' }), description: '`X-ERP-Name`, or else `User-Agent`.' },
  method: { type: 'string' },
  path,
  parameters: {
    type: 'array',
    items: { type: 'string' },
    description: 'The names of the parameters, without values.',
  },
  status,
  error,
  message: { type: 'string', description: 'The message of the response.' },
  request_id: { type: 'string', description: '`X-Request-Id` of the response.' },
});

const exampleCall: FailedRequest = {
  id: '019ca7f3c1d0-0000000004-5b6c7d8e',
  at: '2026-03-02T17:04:05Z',
  key: '12-3',
  client: 'Ledger 7',
  method: 'POST',
  path: '/v1/products/batch',
  parameters: ['products'],
  status: 400,
  error: 'invalid_parameters',
  message: 'cost_basis: expected a number that is 0 or more, such as 12.5, not "12,50"',
  request_id: '3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b',
};

export type FailedCallPage = Pick<FailedRequestList, 'next' | 'statuses' | 'keys' | 'paths'> & {
  results: FailedRequest[];
};

export const failedCallsSuccess: Success = {
  description: 'A page of failed calls.',
  schema: record<FailedCallPage>('FailedCallPage', 'Failed calls of a merchant, newest first.', {
    results: { type: 'array', items: failedCallSchema },
    next: nextSchema,
    statuses: { type: 'array', items: { type: 'integer' }, description: 'The statuses of all logged calls.' },
    keys: { type: 'array', items: { type: 'string' }, description: 'The keys of all logged calls.' },
    paths: { type: 'array', items: { type: 'string' }, description: 'The paths of all logged calls.' },
  }),
  examples: {
    page: {
      summary: 'The last page',
      value: {
        results: [exampleCall],
        next: null,
        statuses: [400],
        keys: ['12-3'],
        paths: ['/v1/products/batch'],
      } satisfies FailedCallPage,
    },
  },
};

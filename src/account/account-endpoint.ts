import type { FastifyInstance } from 'fastify';
import { recordFields } from '../api-keys/record-fields.ts';
import { scopes } from '../api-keys/scopes.ts';
import type { Database } from '../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import { sendJson } from '../http/responses/respond.ts';
import { orNull, record, time } from '../http/schema.ts';
import { type Account, readAccount } from './read-account.ts';

const keySchema = record<Account['key']>('CallingKey', 'The key whose token was sent.', {
  id: { type: 'string', description: 'The ID of the key, such as `12-3`.' },
  name: { type: 'string', description: 'The name of the key, such as `Warehouse sync`.' },
  scopes: {
    type: 'array',
    items: { type: 'string', enum: scopes },
    description:
      '`read` the catalog, campaigns and sales, `write` products and import files, change only quantities (`stock`), ' +
      'create and change `campaigns`, read `orders`, ship and refund them (`fulfillment`), see names and addresses of ' +
      '`customers`, manage `webhooks`.',
  },
  expires_at: { ...orNull(time), description: 'When the key expires; null if it does not.' },
  fields: {
    type: 'string',
    enum: recordFields,
    description:
      'Which fields records have without the header `Tradepost-Fields`: `original` adds fields that clients of other ' +
      'versions of the API read.',
  },
});

const accountSchema = record<Account>(
  'Account',
  'The merchant and the key that an access token belongs to.',
  {
    name: { type: 'string', description: 'The merchant’s name.' },
    time_zone: {
      type: 'string',
      description: 'The IANA time zone that decides which month a sale belongs to.',
    },
    currency: { type: 'string', description: 'The ISO 4217 code of the currency of all amounts.' },
    key: keySchema,
    mode: { type: 'string', enum: ['live', 'test'], description: 'Whose data the key reads and writes.' },
  },
);

const exampleAccount: Account = {
  name: 'Alpine Vases',
  time_zone: 'Europe/Vienna',
  currency: 'EUR',
  key: {
    id: '12-3',
    name: 'Warehouse sync',
    scopes: ['read', 'write'],
    expires_at: null,
    fields: 'standard',
  },
  mode: 'live',
};

/** `GET /account.json` (contract for writing, “Rules for all of it”). */
export function accountEndpoint(
  app: FastifyInstance,
  services: EndpointServices & { database: Database; now: () => number },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/account.json',
    alias: '/account/me.json',
    name: 'retrieveAccount',
    tag: { name: 'Account', description: 'The caller.' },
    summary: 'Retrieve the caller',
    description: 'Returns the merchant and the key that the access token belongs to. Every key may call it.',
    parameters: {},
    statuses: [200, 304],
    success: {
      description: 'The caller.',
      schema: accountSchema,
      examples: { account: { summary: 'A key that may read and write', value: exampleAccount } },
    },
    handle: async ({ request, reply, caller }) => {
      // A session has no key that could be described.
      if (caller.key === undefined) throw requestErrors.token_missing();
      await sendJson(request, reply, JSON.stringify(await readAccount(services, caller.key)));
    },
  });
}

import { describe, it } from 'node:test';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

interface RequestDraft {
  method: string;
  path: string;
  query: Record<string, string>;
  sent: RequestOptions & { headers: Record<string, string> };
}

interface Mistake {
  name: string;
  addTo(draft: RequestDraft): void;
  status: number;
  message: RegExp;
}

/** One for each check, in the contract's order. */
const mistakes: Mistake[] = [
  {
    name: 'plain HTTP',
    addTo: ({ sent }) => {
      sent.headers['x-forwarded-proto'] = 'http';
    },
    status: 400,
    message: /use https/i,
  },
  {
    name: 'an unknown path',
    addTo: (draft) => {
      draft.path = '/nowhere.json';
    },
    status: 404,
    message: /\/nowhere\.json/,
  },
  {
    name: 'an unreadable body',
    addTo: ({ sent }) => {
      sent.body = '{';
      sent.headers['content-type'] = 'application/json';
    },
    status: 400,
    message: /post data cannot be read/,
  },
  {
    name: 'an unknown token',
    addTo: ({ query }) => {
      query.access_token = 'unknown';
    },
    status: 401,
    message: /access_token is not valid/,
  },
  {
    name: 'an unrecognized parameter',
    addTo: ({ query }) => {
      query.colour = 'red';
    },
    status: 400,
    message: unrecognized('colour'),
  },
  {
    name: 'an invalid parameter',
    addTo: ({ query }) => {
      query.page = 'x';
      query.identifier = '';
      query.daily_budget = '-';
    },
    status: 400,
    message: /^(page|identifier|name): /,
  },
];

/** `accepts` are the parameters of the last mistake. */
const targets = [
  { method: 'GET', path: '/products.json', query: {}, accepts: ['page'] },
  { method: 'POST', path: '/campaigns.json', query: { type: 'X' }, accepts: ['daily_budget'] },
  { method: 'GET', path: '/variations/retrieve.json', query: {}, accepts: ['identifier'] },
];

describe('the order of checks', () => {
  const service = useService(sqlite, { environment: { TRUST_PROXY: '127.0.0.1' } });

  async function send(
    { accepts, ...target }: (typeof targets)[number],
    merchant: TestMerchant,
    committed: Mistake[],
  ): Promise<ClientResponse> {
    const draft: RequestDraft = {
      method: target.method,
      path: target.path,
      query: { ...target.query, access_token: merchant.token },
      sent: { headers: {} },
    };
    for (const mistake of committed) mistake.addTo(draft);
    for (const name of ['page', 'identifier', 'daily_budget'])
      if (!accepts.includes(name)) delete draft.query[name];
    return await service().request(
      draft.method,
      `${draft.path}?${new URLSearchParams(draft.query)}`,
      draft.sent,
    );
  }

  for (const target of targets) {
    for (const [index, earlier] of mistakes.entries()) {
      for (const later of mistakes.slice(index + 1)) {
        it(`${earlier.status}: ${target.method} ${target.path} rejects ${earlier.name} before ${later.name}`, async () => {
          const merchant = await service().newMerchant();
          expectError(await send(target, merchant, [later]), later.status, later.message);
          const response = await send(target, merchant, [earlier, later]);
          expectError(response, earlier.status, earlier.message);
        });
      }
    }
  }

  it('400: rejects invalid parameters before an invalid Idempotency-Key', async () => {
    const { token } = await service().newMerchant();
    const headers = { 'idempotency-key': 'two words' };
    const invalid = await service().request('POST', '/campaigns.json', {
      form: { access_token: token },
      headers,
    });
    expectError(invalid, 400, /^name: missing/);
    const form = { access_token: token, name: 'N', type: 'T' };
    expectError(
      await service().request('POST', '/campaigns.json', { form, headers }),
      400,
      /^Idempotency-Key: /,
    );
  });
});

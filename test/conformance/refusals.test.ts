import { it } from 'node:test';
import type { Answer, Sent } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

/** A request that is built up wrong by wrong. */
interface Draft {
  method: string;
  path: string;
  query: Record<string, string>;
  sent: Sent & { headers: Record<string, string> };
}

interface Wrong {
  name: string;
  commit(draft: Draft): void;
  status: number;
  message: RegExp;
}

/** One way to be refused for each step of the contract's order, the earliest first. */
const wrongs: Wrong[] = [
  {
    name: 'not HTTPS',
    commit: ({ sent }) => {
      sent.headers['x-forwarded-proto'] = 'http';
    },
    status: 400,
    message: /use https/i,
  },
  {
    name: 'an unknown path',
    commit: (draft) => {
      draft.path = '/nowhere.json';
    },
    status: 404,
    message: /\/nowhere\.json/,
  },
  {
    name: 'an unreadable body',
    commit: ({ sent }) => {
      sent.body = '{';
      sent.headers['content-type'] = 'application/json';
    },
    status: 400,
    message: /post data cannot be read/,
  },
  {
    name: 'an unknown token',
    commit: ({ query }) => {
      query.access_token = 'unknown';
    },
    status: 401,
    message: /access_token is not valid/,
  },
  {
    name: 'an unrecognized parameter',
    commit: ({ query }) => {
      query.colour = 'red';
    },
    status: 400,
    message: /^Unrecognized parameter: colour\.$/,
  },
  {
    name: 'a wrongly formatted parameter',
    commit: ({ query }) => {
      query.page = 'x';
      query.identifier = '';
      query.daily_budget = '-';
    },
    status: 400,
    message: /^(page|identifier|name): /,
  },
];

/** What each endpoint is asked, with the parameters of the last wrong that it takes. */
const targets = [
  { method: 'GET', path: '/products.json', query: {}, takes: ['page'] },
  { method: 'POST', path: '/campaigns.json', query: { type: 'X' }, takes: ['daily_budget'] },
  { method: 'GET', path: '/variations/retrieve.json', query: {}, takes: ['identifier'] },
];

forEachEngine((engine) => {
  const service = useService(engine, { environment: { TRUST_PROXY: '127.0.0.1' } });

  async function send(
    { takes, ...target }: (typeof targets)[number],
    merchant: TestMerchant,
    some: Wrong[],
  ): Promise<Answer> {
    const draft: Draft = {
      method: target.method,
      path: target.path,
      query: { ...target.query, access_token: merchant.token },
      sent: { headers: {} },
    };
    for (const wrong of some) wrong.commit(draft);
    for (const name of ['page', 'identifier', 'daily_budget'])
      if (!takes.includes(name)) delete draft.query[name];
    return await service().request(
      draft.method,
      `${draft.path}?${new URLSearchParams(draft.query)}`,
      draft.sent,
    );
  }

  for (const target of targets) {
    for (const [index, earlier] of wrongs.entries()) {
      for (const later of wrongs.slice(index + 1)) {
        it(`${earlier.status}: ${target.method} ${target.path} refuses ${earlier.name} before ${later.name}`, async () => {
          const merchant = await service().newMerchant();
          expectError(await send(target, merchant, [later]), later.status, later.message);
          const answer = await send(target, merchant, [earlier, later]);
          expectError(answer, earlier.status, earlier.message);
        });
      }
    }
  }

  it('400: refuses a wrong Idempotency-Key after wrong parameters', async () => {
    const { token } = await service().newMerchant();
    const headers = { 'idempotency-key': 'two words' };
    const wrong = await service().request('POST', '/campaigns.json', {
      form: { access_token: token },
      headers,
    });
    expectError(wrong, 400, /^name: missing/);
    const form = { access_token: token, name: 'N', type: 'T' };
    expectError(
      await service().request('POST', '/campaigns.json', { form, headers }),
      400,
      /^Idempotency-Key: /,
    );
  });
});

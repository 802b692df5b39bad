import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { createWebhook, removeWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { listWebhooksOf } from '../../src/webhooks/queries.ts';
import { ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import type { ClientResponse } from '../support/client.ts';
import { eventLists, webhookEndpoints } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { untilNumbered } from '../support/events.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { HeldDatabase } from '../support/held-database.ts';
import { createKey } from '../support/keys.ts';
import { documentOf } from '../support/openapi.ts';
import { ResponseCheck } from '../support/response-check.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Endpoint = { method: string; path: string; query: Readonly<Record<string, string>>; scope: string };

const UNKNOWN = '/we_5b0e8d8f3a1c42d7e9';
const all: readonly Endpoint[] = [...eventLists, ...webhookEndpoints];
const isOfWebhook = ({ path }: Endpoint): boolean => path.includes(UNKNOWN);
/** They take an `Idempotency-Key`. */
const isWrite = ({ method, path }: Endpoint): boolean =>
  method === 'DELETE' || (method === 'POST' && path === '/webhooks.json') || path.endsWith('/secret.json');
const raiseFeedEpoch = statement<unknown, never>('UPDATE event_feed SET epoch = epoch + 1');

describe('responses of the calls for events and webhooks, and the OpenAPI document', () => {
  const failing = new FailingDatabase();
  const held = new HeldDatabase();
  let lookup: Promise<void> = Promise.resolve();
  const findAddress = async (): Promise<never> => {
    await lookup;
    throw new ReceiverRefused('the host name has no address');
  };
  const wrap = (database: Database): Database => failing.wrap(held.wrap(database));
  const service = useService(sqlite, { wrap, findAddress });
  let merchant: TestMerchant;
  let token: string;
  let webhook: string;
  let check: ResponseCheck;

  before(async () => {
    merchant = await service().newMerchant();
    const key = {
      merchantId: merchant.id,
      name: 'ERP',
      scopes: ['read', 'webhooks'],
      expiresAt: null,
    } as const;
    ({ token } = await createKey(service(), key));
    check = new ResponseCheck(await documentOf(service()));
  });
  beforeEach(async () => {
    const owner = service().webhooksOf(merchant.id);
    for (const { id } of await service().database.all(listWebhooksOf, { merchantId: merchant.id }))
      await runVerb(service(), owner, removeWebhook, { id });
    // Such events do not occur here: an attempt to deliver one would change the state of the webhook.
    const fields = { url: 'https://erp.example/', types: ['import.finished'] } as const;
    webhook = (await runVerb(service(), owner, createWebhook, fields)).id;
    // An event that gets its number would change the list.
    await untilNumbered(service());
  });
  after(() => {
    const unseen = check.unseen.filter((response) => / \/(?:events|webhooks)[./]/.test(response));
    // The address's rate limit is the same for all calls: see responses.test.ts.
    assert.deepEqual(
      unseen.filter((response) => !response.endsWith(' 429')),
      [],
      'documented responses that no test received',
    );
  });

  async function send(
    { method, path, query }: Endpoint,
    { of = webhook, as = token, inQuery = false, headers = {}, also = {} } = {},
  ): Promise<ClientResponse> {
    const named = path.replace(UNKNOWN, `/${of}`);
    const sent = { ...query, ...also, ...(inQuery && { access_token: as }) };
    const authorization = inQuery || as === '' ? {} : { authorization: `Bearer ${as}` };
    const response = await service().request(method, `${named}?${new URLSearchParams(sent)}`, {
      headers: { ...headers, ...authorization },
    });
    check.assertDocumented(method, named, response);
    return response;
  }

  for (const endpoint of all) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const success = endpoint.method === 'POST' && isWrite(endpoint) ? 201 : 200;

    it(`agree on ${name}`, async () => {
      assert.equal((await send(endpoint)).status, success);
      assert.equal((await send(endpoint, { as: '' })).status, 401);
      assert.equal((await send(endpoint, { also: { colour: 'red' } })).status, 400);
      if (isOfWebhook(endpoint)) assert.equal((await send(endpoint, { of: 'none' })).status, 404);
    });

    it(`agree on ${name} without the scope, and if the database fails or is unavailable`, async () => {
      const scopes = ['campaigns'] as const;
      const key = { merchantId: merchant.id, name: 'other', scopes, expiresAt: null };
      const { token: as } = await createKey(service(), key);
      assert.equal((await send(endpoint, { as })).status, 403);
      assert.equal((await send(endpoint, { as, inQuery: true })).status, 401);
      failing.failure = new Error('unknown');
      assert.equal((await send(endpoint)).status, 500);
      failing.failure = new DatabaseUnavailable('unavailable');
      assert.equal((await send(endpoint)).status, 503);
      failing.failure = undefined;
    });

    if (endpoint.method === 'GET') {
      it(`agree on ${name} if the response has not changed`, async () => {
        const headers = { 'if-none-match': (await send(endpoint)).header('etag') };
        assert.equal((await send(endpoint, { headers })).status, 304);
      });
    }

    if (isWrite(endpoint)) {
      it(`agree on ${name} with a key in progress`, async () => {
        const headers = { 'idempotency-key': randomUUID() };
        using hold = held.hold(merchant.id);
        const first = send(endpoint, { headers });
        await held.reached;
        assert.equal((await send(endpoint, { headers })).status, 409);
        assert.equal((await send(endpoint, { headers, inQuery: true })).status, 400);
        hold.release();
        assert.equal((await first).status, success);
      });
    }
  }

  it('agree on replays to a disabled webhook, a second test delivery, and a cursor from before a restore', async () => {
    const at = (verb: string): Endpoint => all.find(({ path }) => path.endsWith(verb)) ?? assert.fail();
    const { promise, resolve } = Promise.withResolvers<void>();
    lookup = promise;
    const first = send(at('/test.json'));
    const second = await Promise.race([first, send(at('/test.json'))]);
    assert.equal(second.status, 409);
    resolve();
    assert.equal((await first).status, 200);
    const change = all.find(({ method }) => method === 'PUT') ?? assert.fail();
    assert.equal((await send(change)).status, 200);
    assert.equal((await send(at('/replay.json'))).status, 409);
    const { next } = (await send(at('/events.json'))).json<{ next: string }>();
    await service().database.transaction((connection) => connection.run(raiseFeedEpoch));
    assert.equal((await send(at('/events.json'), { also: { after: next } })).status, 410);
  });
});

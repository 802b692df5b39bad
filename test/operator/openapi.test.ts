import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { hasScope, operatorScopes } from '../../src/api-keys/scopes.ts';
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { Import } from '../../src/imports/import-record.ts';
import { createWebhook, removeWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { listWebhooksOf } from '../../src/webhooks/queries.ts';
import { ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { createEndpointRecords } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { importFileByApi } from '../support/imports.ts';
import { type OpenApiDocument, operationsOf, type ParameterObject, pointer } from '../support/openapi.ts';
import { ResponseCheck } from '../support/response-check.ts';
import { RouteWatch } from '../support/route-watch.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { isThorough } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { inviteUser } from '../support/users.ts';
import { type OperatorEndpoint, operatorEndpoints, untilPlacementsAreGiven } from './operator-endpoints.ts';

const PREFIX = '/operator/v1';
const COMPRESSIONS = ['gzip', 'br', 'zstd'] as const;
/** It takes half a minute: see stream-idle.slow.test.ts. */
const ELSEWHERE = [
  'POST /merchants/{external_id}/products 408',
  'POST /merchants/{external_id}/schedules 408',
  'POST /merchants/{external_id}/placements 408',
  'POST /merchants/{external_id}/orders 408',
  'POST /merchants/{external_id}/imports/{import_id}/undo 409',
];
const raiseEpoch = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET epoch = epoch + 1 WHERE merchant_id = :id',
);
const raiseFeedEpoch = statement<unknown, never>('UPDATE event_feed SET epoch = epoch + 1');
const countOutbox = statement<unknown, { events: number }>('SELECT count(*) AS events FROM outbox');
const isStream = ({ sent }: OperatorEndpoint): boolean => sent?.body !== undefined;
const hasBody = ({ method }: OperatorEndpoint): boolean => method === 'PUT' || method === 'POST';

describe('the OpenAPI document of the operator API', () => {
  const failing = new FailingDatabase();
  const wrap = (database: Database): Database => failing.wrap(database);
  const findAddress = async (): Promise<never> => {
    throw new ReceiverRefused('the host name has no address');
  };
  const backups = mkdtempSync(join(tmpdir(), 'tradepost-backups-'));
  after(() => rmSync(backups, { recursive: true }));
  const environment = { BUDGETS: 'users=3', BACKUP_TO: backups, BACKUP_EVERY: 'off' };
  const service = useService(sqlite, { wrap, findAddress, environment });
  const limited = useService(sqlite, { environment: { RATE_LIMIT: '1' } });
  /** The webhook or import that `none` in a path stands for. */
  let named = 'none';
  let document: OpenApiDocument;
  let check: ResponseCheck;
  let merchant: TestMerchant;
  let token: string;
  const readDocument = async (): Promise<OpenApiDocument> =>
    (await service().client.request('GET', '/operator/openapi.json')).json<OpenApiDocument>();

  before(async () => {
    document = await readDocument();
    check = new ResponseCheck(document, { suffix: '' });
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
  });
  after(() => {
    const unseen = check.unseen.sort();
    assert.deepEqual(unseen, ELSEWHERE.toSorted(), 'documented responses that no test received');
  });

  async function send(
    endpoint: OperatorEndpoint,
    {
      of = String(merchant.id),
      sent = endpoint.sent ?? {},
      method = endpoint.method,
      as = token,
      also = '',
    }: {
      of?: string;
      sent?: RequestOptions;
      method?: string;
      as?: string;
      also?: string;
    } = {},
  ): Promise<ClientResponse> {
    const response = await service().operator(method, pathOf(endpoint, of) + also, as, sent);
    check.assertDocumented(method, endpoint.template, response);
    return response;
  }
  const pathOf = ({ path }: OperatorEndpoint, of: string): string =>
    path.replace('nobody', of).replace('/none', of === 'nobody' ? '/none' : `/${named}`);
  const success = ({ method, template }: OperatorEndpoint): number =>
    method === 'POST' && /(keys|users|webhooks|secret|backup)$/.test(template) ? 201 : 200;
  const prepare = async ({ template }: OperatorEndpoint): Promise<void> => {
    if (template.startsWith('/webhooks')) await replaceWebhooks(OPERATOR_ID);
    if (template.includes('}/webhooks')) await replaceWebhooks(merchant.id);
    if (template.includes('/imports/')) named = await newImport();
    if (template === '/placements')
      await untilPlacementsAreGiven(service(), await service().newOperatorToken());
    // An event that gets its number would change the list.
    if (template.startsWith('/events'))
      await until(async () => (await service().database.first(countOutbox))?.events === 0);
    if (!template.endsWith('{user}')) return;
    const user = { merchantId: merchant.id, email: 'bo@example.com', name: 'Bo' };
    await inviteUser(service(), user);
  };

  async function replaceWebhooks(merchantId: number): Promise<void> {
    const { database } = service();
    const owner = service().webhooksOf(merchantId);
    const fields = { url: 'https://market.example/', types: [], description: '' };
    for (const { id } of await database.all(listWebhooksOf, { merchantId }))
      await runVerb(service(), owner, removeWebhook, { id });
    named = (await runVerb(service(), owner, createWebhook, fields)).id;
  }

  async function newImport(): Promise<string> {
    // An undo of an earlier import may be in progress.
    await until(async () => {
      const imports = (await service().get('/imports', merchant)).json<Import[]>();
      return imports.every(({ finished_at: end }) => end !== null);
    });
    const file = `identifier,title\nPOT-9,Pot ${randomUUID()}\n`;
    const { id, status } = await importFileByApi(service(), merchant, file);
    assert.equal(status, 'done');
    return id;
  }

  it('passes the recommended rules of a public linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
  });

  it('has only examples that match their schemas', () => {
    const schemas = new SchemaCheck(document);
    let checked = 0;
    for (const operation of operationsOf(document)) {
      for (const [index, { example }] of operation.parameters.entries()) {
        if (example === undefined) continue;
        schemas.assertValid(`${operation.pointer}/parameters/${index}/schema`, example);
        checked += 1;
      }
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
        const at = `${operation.pointer}${pointer('requestBody', 'content', type, 'schema').slice(1)}`;
        assert.ok(schemas.isValid(at, example), at);
        checked += 1;
      }
      for (const status of Object.keys(operation.responses)) {
        const response = schemas.resolve(`${operation.pointer}/responses/${status}`);
        const { content = {} } = schemas.at<{ content?: Record<string, { examples?: object }> }>(response);
        for (const [type, { examples = {} }] of Object.entries(content)) {
          const at = `${response}${pointer('content', type, 'schema').slice(1)}`;
          for (const { value } of Object.values(examples)) schemas.assertValid(at, value);
          assert.notDeepEqual(examples, {}, `${at} has examples`);
          checked += 1;
        }
      }
    }
    assert.ok(checked > 100, String(checked));
  });

  it('has lists that are all read page by page in the same way', () => {
    const lists = operationsOf(document).filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'limit'),
    );
    assert.ok(lists.length > 10, String(lists.length));
    for (const { operationId, parameters } of lists) {
      const [{ schema }] = parameters.filter(({ name }) => name === 'limit') as [ParameterObject];
      const { minimum, maximum, default: usual } = schema;
      assert.deepEqual({ minimum, maximum, usual }, { minimum: 1, maximum: 200, usual: 50 }, operationId);
      const places = parameters.filter(({ schema: { format } }) => format === 'cursor');
      const expected = operationId === 'listFailedCalls' ? [] : ['after'];
      assert.deepEqual(
        places.map(({ name }) => name),
        expected,
        operationId,
      );
    }
  });

  it('and the routes list exactly the same operations, which these tests cover', async () => {
    const watch = new RouteWatch();
    await using other = await startTestService(sqlite);
    watch.stop();
    assert.ok(other.operatorUrl.endsWith(PREFIX));
    const documented = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
    const registered = [...watch.routes]
      .filter((route) => route.includes(` ${PREFIX}/`) && !route.startsWith('HEAD '))
      .map((route) => route.replace(PREFIX, '').replaceAll(/:(\w+)/g, '{$1}'));
    assert.deepEqual(documented.sort(), registered.sort());
    assert.deepEqual(
      operatorEndpoints.map(({ method, template }) => `${method} ${template}`).sort(),
      documented,
    );
  });

  for (const [index, endpoint] of operatorEndpoints.entries()) {
    const name = `${endpoint.method} ${endpoint.template}`;
    const compressions = COMPRESSIONS.filter(
      (_, place) => isThorough || place === index % COMPRESSIONS.length,
    );

    it(`agrees on ${name} with a valid request, compressed or not`, async () => {
      for (const encoding of ['identity', ...compressions]) {
        await prepare(endpoint);
        const headers = { ...endpoint.sent?.headers, 'accept-encoding': encoding };
        const response = await send(endpoint, { sent: { ...endpoint.sent, headers } });
        assert.equal(response.status, success(endpoint), response.text);
        if (endpoint.method !== 'GET') continue;
        // What a merchant does is counted later, and changes the response when it is.
        let { etag } = response.headers;
        await until(async () => {
          const conditional = { headers: { ...headers, 'if-none-match': String(etag) } };
          const second = await send(endpoint, { sent: conditional });
          etag = second.headers.etag;
          return second.status === 304;
        });
        assert.equal((await send(endpoint, { method: 'HEAD' })).status, 200);
      }
    });

    it(`agrees on ${name} with invalid requests`, async () => {
      const unrecognized = endpoint.path.includes('?') ? '&colour=red' : '?colour=red';
      assert.equal((await send(endpoint, { also: unrecognized })).status, 400);
      assert.equal((await send(endpoint, { sent: { body: '{' } })).status, 400);
      if (hasBody(endpoint) && !isStream(endpoint)) {
        const json = { ...(endpoint.sent?.json as object), colour: 'red' };
        assert.equal((await send(endpoint, { sent: { json } })).status, 400);
        assert.equal((await send(endpoint, { sent: { form: { name: 'N' } } })).status, 400);
      } else if (!isStream(endpoint)) {
        assert.equal((await send(endpoint, { sent: { json: { limit: 1 } } })).status, 400);
      }
      assert.equal((await send(endpoint, { as: 'tpo_unknown' })).status, 401);
      const others = operatorScopes.filter((scope) => !hasScope([scope], endpoint.scope));
      assert.equal((await send(endpoint, { as: await service().newOperatorToken(others) })).status, 403);
      if (endpoint.method !== 'PUT' || endpoint.template !== '/merchants/{external_id}') {
        const status = /\/(nobody|none)/.test(endpoint.path) ? 404 : success(endpoint);
        assert.equal((await send(endpoint, { of: 'nobody' })).status, status);
      }
    });

    it(`agrees on ${name} if the database fails or is unavailable, and past the rate limit`, async () => {
      for (const [failure, status] of [
        [new Error('unknown'), 500],
        [new DatabaseUnavailable('unavailable'), 503],
      ] as const) {
        failing.failure = failure;
        assert.equal((await send(endpoint)).status, status);
        failing.failure = undefined;
      }
      const as = await limited().newOperatorToken();
      await limited().operator('GET', '/merchants', as);
      const response = await limited().operator(endpoint.method, endpoint.path, as, endpoint.sent);
      assert.equal(response.status, 429);
      check.assertDocumented(endpoint.method, endpoint.template, response);
    });

    const isKeyed =
      !isStream(endpoint) &&
      !/(test|replay|redact|reveal|cancel|undo|outcomes|\/placements|\/moderation)$/.test(endpoint.template);
    if ((endpoint.method === 'POST' || endpoint.method === 'DELETE') && isKeyed) {
      it(`agrees on ${name} while the first request with its key is in progress`, async () => {
        await until(async () => {
          await prepare(endpoint);
          const headers = { 'idempotency-key': randomUUID() };
          const responses = await Promise.all(
            [1, 2, 3, 4].map(() => send(endpoint, { sent: { ...endpoint.sent, headers } })),
          );
          return responses.some(({ status }) => status === 409);
        });
      });
    }
  }

  it('agrees on replays to a disabled webhook, on tests at the same time, and on a cursor of events from before a restore', async () => {
    await replaceWebhooks(OPERATOR_ID);
    const at = (method: string, template: string): OperatorEndpoint => {
      const found = operatorEndpoints.find((each) => each.method === method && each.template === template);
      return found ?? assert.fail(`no ${method} ${template}`);
    };
    await send(at('PUT', '/webhooks/{webhook}'), { sent: { json: { enabled: false } } });
    assert.equal((await send(at('POST', '/webhooks/{webhook}/replay'))).status, 409);
    await replaceWebhooks(merchant.id);
    const ofMerchant = '/merchants/{external_id}/webhooks/{webhook}';
    await send(at('PUT', ofMerchant), { sent: { json: { enabled: false } } });
    assert.equal((await send(at('POST', `${ofMerchant}/replay`))).status, 409);
    await until(async () => {
      const tests = [1, 2, 3].map(() => send(at('POST', `${ofMerchant}/test`)));
      return (await Promise.all(tests)).some(({ status }) => status === 409);
    });
    const newest = at('GET', '/events/newest');
    assert.equal((await send({ ...newest, path: '/events/newest?merchant=nobody-else' })).status, 400);
    for (const template of ['/products', '/orders']) {
      const list = { ...at('GET', template), path: `${template}?merchant=nobody-else` };
      assert.equal((await send(list)).status, 400);
    }
    const events = at('GET', '/events');
    const { next } = (await send(events)).json<{ next: string }>();
    await service().database.transaction((connection) => connection.run(raiseFeedEpoch));
    assert.equal((await send({ ...events, path: `/events?after=${next}` })).status, 410);
  });

  it('agrees on a new merchant, on cursors from before a restore, and on streams of a suspended merchant', async () => {
    const put = operatorEndpoints.find(
      ({ method, path }) => method === 'PUT' && path === '/merchants/nobody',
    );
    assert.ok(put !== undefined);
    assert.equal((await send(put, { of: 'new', sent: { json: { name: 'New' } } })).status, 201);
    const order = operatorEndpoints.find(({ path }) => path === '/merchants/nobody/orders/O-101');
    assert.ok(order !== undefined);
    const created = { ...order, path: '/merchants/nobody/orders/NEW' };
    const sent = { json: { product_identifier: 'POT-1' } };
    assert.equal((await send(created, { sent })).status, 201);
    for (const endpoint of operatorEndpoints.filter(({ path }) => path.includes('changed_since'))) {
      const { cursor } = (await send(endpoint)).json<{ cursor: string }>();
      await service().database.transaction((connection) => connection.run(raiseEpoch, { id: merchant.id }));
      const path = endpoint.path.replace('start', cursor);
      assert.equal((await send({ ...endpoint, path })).status, 410);
    }
    await send(put, { of: 'new', sent: { json: { state: 'suspended' } } });
    for (const endpoint of operatorEndpoints.filter(isStream))
      assert.equal((await send(endpoint, { of: 'new' })).status, 409);
  });
});

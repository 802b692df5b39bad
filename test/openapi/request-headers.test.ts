import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ClientResponse } from '../support/client.ts';
import { endpoints } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { documentOf, type Operation, operationsOf } from '../support/openapi.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { withRollback } from '../support/with-rollback.ts';

const value = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 5 }),
    fc
      .tuple(fc.constantFrom('a', '~', '!', '/'), fc.constantFrom(127, 128, 129, 254, 255, 256))
      .map(([character, length]) => character.repeat(length)),
    fc.constantFrom('two words', 'é', 'a.b:c/d+e=f@g_h'),
  )
  .filter((text) => text.trim() === text && text !== '');

describe('request headers and the OpenAPI document', () => {
  const service = useService(sqlite, { wrap: withRollback });
  let merchant: TestMerchant;
  let operations: Operation[];
  let check: SchemaCheck;
  before(async () => {
    merchant = await service().newMerchant();
    const document = await documentOf(service());
    operations = operationsOf(document);
    check = new SchemaCheck(document);
  });

  const send = (
    endpoint: (typeof endpoints)[number],
    headers: Record<string, string>,
  ): Promise<ClientResponse> => {
    const query = new URLSearchParams({ ...endpoint.query, access_token: merchant.token });
    return service().request(endpoint.method, `${endpoint.path}?${query}`, { headers });
  };

  function schemaOf({ method, path }: (typeof endpoints)[number], header: string): string {
    const operation = operations.find((one) => one.method === method && one.path === path);
    const index = operation?.parameters.findIndex(({ name }) => name === header) ?? -1;
    assert.ok(operation !== undefined && index >= 0, `${method} ${path} reads ${header}`);
    return `${operation.pointer}/parameters/${index}/schema`;
  }

  it('all of them are allowed in a CORS preflight', async () => {
    for (const { path, parameters } of operations) {
      const response = await service().request('OPTIONS', path);
      const allowed = response.header('access-control-allow-headers').split(', ');
      for (const { name } of parameters.filter((parameter) => parameter.in === 'header')) {
        assert.ok(allowed.includes(name), name);
      }
    }
  });

  it('an Idempotency-Key is accepted if and only if it matches its schema', async () => {
    const [, create] = endpoints;
    const schema = schemaOf(create, 'Idempotency-Key');
    const property = fc.asyncProperty(value, async (key) => {
      const { status, text } = await send(create, { 'idempotency-key': key });
      assert.equal(status, check.isValid(schema, key) ? 200 : 400, `${key}: ${text}`);
    });
    await fc.assert(property);
  });

  it('a Tradepost-Simulate is accepted if and only if it matches its schema', async () => {
    const [list] = endpoints;
    const { token } = await service().newTestKey(merchant);
    const part = fc.constantFrom('delay=0', 'delay=00', 'status=500', 'status=501', 'status=', 'drop ', 'x');
    const header = fc.oneof(
      value,
      fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(',')),
    );
    const property = fc.asyncProperty(header, async (text) => {
      const path = `${list.path}?access_token=${token}`;
      const headers = { 'tradepost-simulate': text };
      const dropped = /^drop|drop$/.test(text.trim());
      const status = await service()
        .request(list.method, path, { headers })
        .then(
          (response) => response.status,
          (error) => {
            assert.ok(dropped, String(error));
            return 0;
          },
        );
      // Node removes spaces around a value.
      const isValid = check.isValid(schemaOf(list, 'Tradepost-Simulate'), text.trim());
      assert.equal(status !== 400, isValid, text);
    });
    await fc.assert(property);
  });

  for (const endpoint of endpoints) {
    it(`${endpoint.method} ${endpoint.path} returns the client’s X-Request-Id if and only if it matches its schema`, async () => {
      const schema = schemaOf(endpoint, 'X-Request-Id');
      const property = fc.asyncProperty(value, async (id) => {
        const returned = (await send(endpoint, { 'x-request-id': id })).headers['x-request-id'];
        assert.equal(returned === id, check.isValid(schema, id), id);
      });
      await fc.assert(property, { numRuns: runs(30) });
    });

    it(`${endpoint.method} ${endpoint.path} accepts any X-ERP-Name`, async () => {
      const schema = schemaOf(endpoint, 'X-ERP-Name');
      for (const name of ['Northwind ERP', 'é', 'x'.repeat(5000)]) {
        assert.ok(check.isValid(schema, name));
        assert.equal((await send(endpoint, { 'x-erp-name': name })).status !== 400, true);
      }
    });
  }
});

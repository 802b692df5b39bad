import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Schema } from '../../src/http/schema.ts';
import type { StreamSummary } from '../../src/operator/streams/stream-schema.ts';
import type { RequestOptions } from '../support/client.ts';
import { createEndpointRecords } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { type OpenApiDocument, operationsOf, pointer } from '../support/openapi.ts';
import { ResponseCheck } from '../support/response-check.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { withRollback } from '../support/with-rollback.ts';
import { operatorEndpoints } from './operator-endpoints.ts';

const RUNS = { numRuns: runs(150), endOnFailure: true };
/** Encoded segments of paths. One or two dots lead to other paths. */
const segment = fc.oneof(
  fc.constantFrom('nobody', '1', '1-1', 'POT-1', 'C-1', 'ada@example.com', '...', '%', 'a/b', 'a\0b'),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((text) => text.isWellFormed() && !/^\.+$/.test(text)),
);
const plain = operatorEndpoints.filter(({ sent }) => sent?.body === undefined);
const streams = operatorEndpoints.filter(({ sent }) => sent?.body !== undefined);

describe('random requests to the operator API', () => {
  const service = useService(sqlite, { wrap: withRollback, environment: { BUDGETS: 'users=off' } });
  let document: OpenApiDocument;
  let check: ResponseCheck;
  let merchant: TestMerchant;
  let token: string;
  before(async () => {
    document = (await service().client.request('GET', '/operator/openapi.json')).json<OpenApiDocument>();
    check = new ResponseCheck(document, { suffix: '' });
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
  });

  it('get documented responses, whatever is in the path, the query and the post data', async () => {
    const names = fc.constantFrom(
      'name',
      'email',
      'state',
      'scopes',
      'expires_in',
      'reasons',
      'reason',
      'status',
      'order_id',
      'available_refunds',
      'stock',
      'limit',
      'after',
      'x',
    );
    const body = fc.oneof(
      fc.dictionary(names, fc.jsonValue(), { maxKeys: 4 }).map((json): RequestOptions => ({ json })),
      fc.jsonValue().map((json): RequestOptions => ({ json })),
      fc.string().map(
        (text): RequestOptions => ({
          body: text,
          headers: { 'content-type': 'application/json' },
        }),
      ),
    );
    const request = fc.record({
      endpoint: fc.constantFrom(...plain),
      segments: fc.array(segment, { minLength: 2, maxLength: 2 }),
      query: fc.dictionary(names, fc.string(), { maxKeys: 2 }),
      sent: fc.option(body, { nil: undefined }),
    });
    const property = fc.asyncProperty(request, async ({ endpoint, segments, query, sent = {} }) => {
      const { method, template } = endpoint;
      const values = [...segments];
      const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? 'x'));
      const text = new URLSearchParams(query).toString();
      const response = await service().operator(method, text === '' ? path : `${path}?${text}`, token, sent);
      assert.ok(response.status < 500, `${method} ${path}: ${response.text}`);
      check.assertDocumented(method, template, response);
    });
    await fc.assert(property, RUNS);
  });

  // The lines of a list are checked one by one: each has a result.
  const objects = plain.filter(({ sent }) => sent?.json !== undefined && !Array.isArray(sent.json));
  for (const { method, template, path, sent } of objects) {
    it(`${method} ${template} refuses every value that the schema of its post data does not allow`, async () => {
      const operation = operationsOf(document).find((one) => one.method === method && one.path === template);
      assert.ok(operation !== undefined);
      const schemas = new SchemaCheck(document);
      const at = schemas.resolve(
        operation.pointer + pointer('requestBody', 'content', 'application/json', 'schema').slice(1),
      );
      const { properties = {} } = schemas.at<Schema>(at);
      // Other spellings of booleans are accepted, and blank values and null count as missing.
      const fields = Object.keys(properties).filter(
        (name) => ![properties[name]?.type].flat().includes('boolean'),
      );
      if (fields.length === 0) return;
      const isStated = (value: unknown): boolean =>
        value !== null && (typeof value !== 'string' || value.trim() !== '');
      const value = fc.oneof(
        fc.jsonValue(),
        fc.array(fc.dictionary(fc.constantFrom('code', 'field', 'message'), fc.jsonValue())),
        fc.array(fc.constantFrom('read', 'write', 'campaigns', 'other')),
      );
      const change = fc.tuple(fc.constantFrom(...fields), value.filter(isStated));
      const property = fc.asyncProperty(change, async ([name, changed]) => {
        const json = { ...(sent?.json as object), [name]: changed };
        const response = await service().operator(
          method,
          path.replace('nobody', String(merchant.id)),
          token,
          { json },
        );
        if (!schemas.isValid(at, json)) assert.equal(response.status, 400, JSON.stringify(json));
        check.assertDocumented(method, template, response);
      });
      await fc.assert(property, RUNS);
    });
  }

  for (const { method, template, path } of streams) {
    it(`${method} ${template} counts each line of a random stream`, async () => {
      const line = fc.oneof(
        fc.jsonValue().map((json) => JSON.stringify(json)),
        fc
          .dictionary(
            fc.constantFrom('identifier', 'title', 'sold', 'external_id', 'seller_fees'),
            fc.jsonValue(),
          )
          .map((json) => JSON.stringify(json)),
        fc.string().map((text) => text.replaceAll(/[\r\n]/g, '')),
      );
      const property = fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const response = await service().operator(
          method,
          path.replace('nobody', String(merchant.id)),
          token,
          {
            body: lines.map((text) => `${text}\n`).join(''),
            headers: { 'content-type': 'application/x-ndjson' },
          },
        );
        assert.equal(response.status, 200, response.text);
        check.assertDocumented(method, template, response);
        const { created, updated, unchanged, rejected } = response.json<StreamSummary>();
        const stated = lines.filter((text) => text.trim() !== '').length;
        assert.equal(created + updated + unchanged + rejected, stated);
      });
      await fc.assert(property, { numRuns: runs(15), endOnFailure: true });
    });
  }
});

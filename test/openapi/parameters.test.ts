import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { endpoints } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { unrecognized } from '../support/expect.ts';
import { documentOf, type Operation, operationsOf } from '../support/openapi.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { withRollback } from '../support/with-rollback.ts';
import { valuesNear } from './schema-arbitraries.ts';

type Value = string | number | boolean;

describe('parameters and the OpenAPI document', () => {
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

  for (const { method, path, query } of endpoints) {
    const operation = (): Operation => {
      const found = operations.find((one) => one.method === method && one.path === path);
      assert.ok(found !== undefined);
      return found;
    };
    async function send(parameters: Record<string, Value>, way: 'query' | 'form' | 'json' = 'query') {
      const all = { access_token: merchant.token, ...query, ...parameters };
      if (way !== 'query') return await service().request(method, path, { [way]: all });
      const text = new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]));
      return await service().request(method, `${path}?${text}`);
    }

    it(`${method} ${path} accepts exactly the values that the schema of each parameter allows`, async () => {
      const { parameters, pointer, requestBody } = operation();
      for (const [index, { name, in: location, schema }] of parameters.entries()) {
        // A schema cannot tell which texts are cursors.
        if (location !== 'query' || schema.format === 'cursor') continue;
        const at = `${pointer}/parameters/${index}/schema`;
        const ways = fc.constantFrom('query' as const, 'form' as const, 'json' as const);
        const property = fc.asyncProperty(valuesNear(schema), ways, async (value, way) => {
          const { status, text } = await send({ [name]: value }, way);
          assert.equal(status !== 400, check.isValid(at, value), `${name}=${value}: ${text}`);
          if (status === 400) assert.match(text, new RegExp(`"${name}: `));
        });
        await fc.assert(property, { numRuns: runs(60), endOnFailure: true });
        for (const { schema: body } of Object.values(requestBody?.content ?? {})) {
          const { properties = {} } = check.at<typeof body>(body.$ref ?? '');
          const { description, ...same } = properties[name] ?? {};
          assert.deepEqual(same, schema, `${name} has the same schema in the body`);
        }
      }
    });

    it(`${method} ${path} accepts no undocumented parameter`, async () => {
      const own = operation().parameters.map(({ name }) => name);
      const all = operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
      const others = [...new Set([...all, 'colour', 'access_Token']).difference(new Set(own))];
      const { status, message } = await send(Object.fromEntries(others.map((name) => [name, '1'])));
      assert.equal(status, 400);
      assert.match(message, unrecognized(...others));
    });

    it(`${method} ${path} requires the parameters that are documented as required`, async () => {
      const { parameters, requestBody } = operation();
      const described = parameters.filter(({ required }) => required).map(({ name }) => name);
      for (const { schema } of Object.values(requestBody?.content ?? {})) {
        described.push(...(check.at<typeof schema>(schema.$ref ?? '').required ?? []));
      }
      const { status, text } = await service().request(method, `${path}?access_token=${merchant.token}`);
      const missing = [...text.matchAll(/(\w+): missing/g)].map(([, name]) => name);
      assert.deepEqual([...new Set(described)], missing);
      assert.equal(status === 400, missing.length > 0);
    });

    it(`${method} ${path} uses the documented defaults for missing parameters`, async (t) => {
      if (method === 'POST') return t.skip('each request creates another campaign');
      const defaults = operation().parameters.flatMap(({ name, schema }) =>
        schema.default === undefined ? [] : [[name, schema.default as Value]],
      );
      const [omitted, stated] = [await send({}), await send(Object.fromEntries(defaults))];
      assert.equal(omitted.text, stated.text);
      assert.equal(omitted.headers.etag, stated.headers.etag);
    });
  }
});

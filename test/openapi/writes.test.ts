import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { testSideOf } from '../../src/database/sides.ts';
import type { Schema } from '../../src/http/schema.ts';
import { resetTestSide } from '../../src/test-side/reset.ts';
import type { ClientResponse } from '../support/client.ts';
import {
  changeOrders,
  createEndpointRecords,
  documentedPath,
  importEndpoints,
  importFile,
  isForTestKeys,
  orderWrites,
  testSideCalls,
  unfulfillOrder,
  writeProducts,
  writes,
} from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { unrecognized } from '../support/expect.ts';
import { documentOf, type Operation, operationsOf, type ParameterObject } from '../support/openapi.ts';
import { vaultOf } from '../support/orders.ts';
import { SchemaCheck } from '../support/schema-check.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { withRollback } from '../support/with-rollback.ts';
import { valuesNear } from './schema-arbitraries.ts';

const RUNS = { numRuns: runs(30), endOnFailure: true };
/** Longer values do not fit in a URL. */
const MAX_IN_QUERY = 4_000;

/**
 * No schema can state these rules: they depend on the stored record or on other parameters. `reason` is the
 * refusal's, `description` the parameter's.
 */
const rules = [
  { reason: /^read-only/, description: /read-only/i },
  { reason: /^missing, expected the identifier or/, description: /Or send `internal_id`/ },
  { reason: /^missing, expected the internal_id or the name/, description: /Or send `name`/ },
  { reason: /^send exactly one of internal_id and name/, description: /instead of `internal_id`/ },
  {
    reason: /^expected letters, digits, spaces, periods, dashes and underscores, found "[^ -~]/,
    description: /Letters and digits of any script/,
  },
  { reason: /^levels are separated by \|, .* not by >$/, description: /separated by `>`.* is refused/ },
  {
    reason: /^send either the ID of an import, or a change_id/,
    description: /Or send `change_id`|instead of `import_id`/,
  },
  { reason: /^cannot change after creation/, description: /cannot change after creation/ },
  { reason: /^the current quantity is/, description: /to add|is based on/ },
  { reason: /^expected at most 2147483647$/, description: /at most 2147483647/ },
  { reason: /^the product POT-1 has no variation with/, description: /unique ID/ },
  { reason: /^expected one of New, /, description: /New with Tags/ },
  { reason: /^the order 10[23] has 1 of 1 units left to ship/, description: /all that are left/ },
  { reason: /^the order 104 has 1 units$/, description: /units that a partial refund is for/ },
  { reason: /^expected a name or a code of metadata\/carriers/, description: /`metadata\/carriers`/ },
  {
    reason: /^expected one of buyer_requested|^expected one of no_buyer/,
    description: /`metadata\/refund_reasons`/,
  },
  { reason: /^only for .*; not for order\.created$/, description: /Only for/ },
  { reason: /^expected a record of at most 262144 bytes/, description: /at most 262144 bytes/ },
];

interface Sent {
  name: RegExp;
  value: unknown;
  isValid: boolean;
  description: string | undefined;
}

interface Problem {
  name: string;
  reason: string;
}

const [, , cancelImport, undoImport] = importEndpoints;
const writesWithParameters = [
  ...writes,
  ...orderWrites,
  unfulfillOrder,
  cancelImport,
  undoImport,
  ...testSideCalls,
];
const ways = fc.constantFrom('query', 'form', 'json', 'multipart');

/** A value is accepted if and only if its schema allows it, unless a documented rule refuses it. */
function assertAgrees(problems: readonly Problem[], { name, value, isValid, description = '' }: Sent): void {
  const shown = `${name}, ${JSON.stringify(value).slice(0, 100)}, ${JSON.stringify(problems)}`;
  const [problem, ...others] = problems;
  if (problem === undefined) {
    assert.ok(isValid, `accepted, but not documented: ${shown}`);
    return;
  }
  assert.ok(name.test(problem.name) && others.length === 0, `another problem: ${shown}`);
  const isRule = rules.some((rule) => rule.reason.test(problem.reason) && rule.description.test(description));
  assert.ok(!isValid || isRule, `documented, but refused: ${shown}, ${description}`);
}

/** What a message names; none if the request was accepted, names no existing record, or met another reset. */
function problemsOf({ status, text, headers }: ClientResponse): Problem[] {
  if ([200, 404].includes(status) || headers['tradepost-error'] === 'reset_superseded') return [];
  assert.equal(status, 400, text);
  const { message } = JSON.parse(text) as { message: string };
  const [, name = '', reason = message] = /^([^:]*): (.*)\.$/s.exec(message) ?? [];
  return [{ name, reason }];
}

/** Whether values are lists or objects. */
const isNested = ({ type = [] }: Schema): boolean =>
  [type].flat().some((one) => one === 'array' || one === 'object');
const exactly = (name: string): RegExp => new RegExp(`^${RegExp.escape(name)}$`);
const inQuery = ({ parameters }: Operation): [ParameterObject, number][] =>
  parameters
    .map((each, index): [ParameterObject, number] => [each, index])
    .filter(([each]) => each.in === 'query');

describe('writes and the OpenAPI document', () => {
  const service = useService(sqlite, { wrap: withRollback });
  let merchant: TestMerchant;
  let testToken: string;
  let operations: Operation[];
  let check: SchemaCheck;
  before(async () => {
    merchant = await service().newMerchant();
    testToken = (await service().newTestKey(merchant)).token;
    await createEndpointRecords(service(), merchant);
    const { database, now, config } = service();
    // With samples, a trigger always finds a product and a campaign.
    await resetTestSide(
      { database, now, ...config, customers: vaultOf(service()) },
      { merchantId: testSideOf(merchant.id), who: SERVICE },
      { samples: true, key: undefined },
    );
    const document = await documentOf(service());
    operations = operationsOf(document);
    check = new SchemaCheck(document);
  });

  function operationOf(endpoint: { method: string; path: string; template?: string }): Operation {
    const path = documentedPath(endpoint);
    const found = operations.find((one) => one.method === endpoint.method && one.path === path);
    assert.ok(found !== undefined, `${endpoint.method} ${path} is documented`);
    return found;
  }

  it('every POST of the document is tested here, or in event-responses.test.ts', () => {
    const tested = [...writesWithParameters, importFile, writeProducts, changeOrders].map(documentedPath);
    const documented = operations
      .filter(({ method, path }) => method === 'POST' && !path.startsWith('/webhooks'))
      .map(({ path }) => path);
    assert.deepEqual(documented.toSorted(), [...tested, '/campaigns.json'].toSorted());
  });

  for (const endpoint of writesWithParameters) {
    const { method, path } = endpoint;
    const operation = (): Operation => operationOf(endpoint);
    const token = (): string => (isForTestKeys(endpoint) ? testToken : merchant.token);

    async function send(changes: Record<string, unknown>, way = 'json'): Promise<ClientResponse> {
      const json: Record<string, unknown> = { ...endpoint.query, ...changes };
      // The token may not be in large post data.
      if (way === 'json') return await service().request(method, `${path}?access_token=${token()}`, { json });
      const all = { access_token: token(), ...json };
      const entries = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]);
      if (way === 'query') return await service().request(method, `${path}?${new URLSearchParams(entries)}`);
      const sent = way === 'form' ? { form: Object.fromEntries(entries) } : { multipart: entries };
      return await service().request(method, path, sent);
    }
    /** Only the post data has nested parameters. */
    function nestedIn({ requestBody }: Operation): [string, Schema][] {
      const [content] = Object.values(requestBody?.content ?? {});
      const { properties = {} } = check.at<Schema>(content?.schema.$ref ?? '');
      return Object.entries(properties).filter(([, schema]) => isNested(schema));
    }
    /** A value for a stock's other parameter, because only one of them may be sent. */
    function otherStock(name: string, value: unknown): Record<string, unknown> {
      if (name === 'quantity_change' && value !== null) return { quantity: '' };
      const isCleared = path === '/variations/update.json' && name === 'quantity' && value === null;
      return isCleared ? { quantity_change: 1 } : {};
    }

    it(`${method} ${path} accepts exactly the values that the schema of each parameter allows`, async () => {
      for (const [{ name, schema, description }, index] of inQuery(operation())) {
        const at = `${operation().pointer}/parameters/${index}/schema`;
        const property = fc.asyncProperty(fc.option(valuesNear(schema)), ways, async (value, way) => {
          const isJson = value === null || encodeURIComponent(value).length > MAX_IN_QUERY;
          const partial = value === 'partial' && { fees: 'buyer_fee' };
          const changes = { ...otherStock(name, value), ...partial, [name]: value };
          const problems = problemsOf(await send(changes, isJson ? 'json' : way));
          assertAgrees(problems, {
            name: exactly(name),
            value,
            isValid: check.isValid(at, value),
            description,
          });
        });
        await fc.assert(property, { ...RUNS, examples: [[null, 'json']] });
      }
    });

    if (path === '/products.json' || path === '/products/update.json') {
      it(`${method} ${path} accepts exactly the entries that the schema of a nested parameter allows`, async () => {
        const nested = nestedIn(operation()).filter(([name]) => name === 'variations');
        assert.equal(nested.length, 1);
        for (const [parameter, schema] of nested) {
          const items = check.resolve(schema.items?.$ref ?? '');
          const { properties = {}, additionalProperties } = check.at<Schema>(items);
          assert.equal(additionalProperties, false);
          const own = path === '/products.json' ? 'NEW-S' : 'POT-1-S';
          for (const [name, field] of Object.entries(properties)) {
            const property = fc.asyncProperty(fc.option(valuesNear(field)), ways, async (value, drawn) => {
              const way = value === null ? 'json' : drawn;
              const entry = { identifier: own, [name]: value };
              const named = Object.entries(entry).map(([key, each]) => [`${parameter}[0][${key}]`, each]);
              const changes = way === 'json' ? { [parameter]: [entry] } : Object.fromEntries(named);
              const sent = {
                name: new RegExp(String.raw`^${parameter}\[.*\]\[${name}\]$`),
                value,
                isValid: check.isValid(items, entry),
                description: field.description,
              };
              assertAgrees(problemsOf(await send(changes, way)), sent);
            });
            await fc.assert(property, { ...RUNS, examples: [[null, 'json']] });
          }
          const { message } = await send({ [parameter]: [{ identifier: own, colour: 'red' }] });
          assert.match(message, unrecognized(`${parameter}[0][colour]`));
        }
      });
    }

    it(`${method} ${path} documents the same parameters for the query and for each type of post data`, () => {
      const expected = inQuery(operation()).map(([{ name, schema }]) => [name, schema]);
      const contents = Object.values(operation().requestBody?.content ?? {});
      assert.equal(contents.length, 3);
      for (const { schema } of contents) {
        const { access_token, ...properties } = check.at<Schema>(schema.$ref ?? '').properties ?? {};
        assert.equal(access_token?.type, 'string');
        for (const [name, parameter] of expected) {
          const { description, ...shown } = properties[String(name)] ?? {};
          const { description: other, ...same } = parameter as Schema;
          assert.deepEqual(shown, same, String(name));
        }
        const nested = nestedIn(operation()).map(([name]) => name);
        assert.deepEqual(
          Object.keys(properties).toSorted(),
          [...expected.map(([name]) => name), ...nested].toSorted(),
        );
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
      const [content] = Object.values(operation().requestBody?.content ?? {});
      const { required = [] } = check.at<Schema>(content?.schema.$ref ?? '');
      const { text } = await service().request(method, path, { json: { access_token: token() } });
      const missing = [...text.matchAll(/(\w+): missing/g)].map(([, name]) => name);
      // Some require one of two parameters, which no schema of a parameter states.
      if (required.length > 0 || !/ or /.test(text)) assert.deepEqual(missing, required);
    });

    it(`${method} ${path} reads exactly the headers that are documented`, async () => {
      const documented = operation().parameters.flatMap((each) => (each.in === 'header' ? [each.name] : []));
      const query = (): URLSearchParams => new URLSearchParams({ ...endpoint.query, access_token: token() });
      const sendHeaders = (headers: Record<string, string>): Promise<ClientResponse> =>
        service().request(method, `${path}?${query()}`, { headers });
      const outcomeWith = async (headers: Record<string, string>): Promise<string> => {
        const response = await sendHeaders(headers);
        return `${response.status} ${response.header('tradepost-error')}`;
      };
      const outcome = await outcomeWith({});
      for (const [name, value] of [
        ['Idempotency-Key', 'x'.repeat(256)],
        ['If-Match', '"other"'],
        ['If-None-Match', '*'],
        ['Tradepost-Fields', 'other'],
      ] as const) {
        const isRead = (await outcomeWith({ [name]: value })) !== outcome;
        assert.equal(isRead, documented.includes(name), name);
      }
      const { headers } = await sendHeaders({ 'X-Request-Id': 'mine' });
      assert.equal(headers['x-request-id'], 'mine');
      for (const name of ['X-Request-Id', 'X-ERP-Name', 'Tradepost-Simulate'])
        assert.ok(documented.includes(name), name);
    });
  }

  it('POST /products/batch.json accepts exactly the values that the schema of a line allows', async () => {
    const { requestBody } = operationOf(writeProducts);
    const line = check.resolve(requestBody?.content['application/json']?.schema.items?.$ref ?? '');
    const { properties = {} } = check.at<Schema>(line);
    const send = async (sent: object): Promise<Problem[]> => {
      const response = await service().request(
        'POST',
        `${writeProducts.path}?access_token=${merchant.token}`,
        {
          json: [sent],
        },
      );
      assert.equal(response.status, 200, response.text);
      return response.json<{ results: { errors: Problem[] }[] }>().results[0]?.errors ?? [];
    };
    const stock = ['quantity', 'quantity_change', 'quantity_was', 'size', 'color', 'variation'];
    for (const [name, field] of Object.entries(properties)) {
      if (isNested(field)) continue;
      const others = (value: unknown): object => {
        if (!stock.includes(name) || (name === 'variation' && value === null)) return { title: 'Pot' };
        const isChange = name === 'quantity_change' && value !== null;
        return { variation: 'POT-1-S', ...(!isChange && { quantity: 3 }) };
      };
      const property = fc.asyncProperty(fc.option(valuesNear(field)), async (value) => {
        const sent = { identifier: 'POT-1', ...others(value), [name]: value };
        assertAgrees(await send(sent), {
          name: exactly(name),
          value,
          isValid: check.isValid(line, sent),
          description: field.description,
        });
      });
      await fc.assert(property, { ...RUNS, examples: [[null]] });
    }
    assert.deepEqual(await send({ identifier: 'POT-1', colour: 'red' }), [
      { name: 'colour', reason: 'unrecognized' },
    ]);
  });

  it('POST /orders/batch.json accepts exactly the values that the schema of a line allows', async () => {
    const { requestBody } = operationOf(changeOrders);
    const line = check.resolve(requestBody?.content['application/json']?.schema.items?.$ref ?? '');
    const { properties = {} } = check.at<Schema>(line);
    const send = async (sent: object): Promise<Problem[]> => {
      const path = `${changeOrders.path}?access_token=${merchant.token}`;
      const response = await service().request('POST', path, { json: [sent] });
      assert.equal(response.status, 200, response.text);
      return response.json<{ results: { errors: Problem[] }[] }>().results[0]?.errors ?? [];
    };
    const lines: Record<string, unknown>[] = [
      { action: 'acknowledge', order_id: 101, merchant_order_id: 'SO-1' },
      { action: 'annotate', order_id: 101, annotation: 'Gift' },
      { action: 'cancel', order_id: 105, reason: 'other' },
      { action: 'refund', order_id: 104, type: 'full', reason: 'other', restock: false },
      { action: 'fulfill', order_id: 102, carrier: 'UPS', tracking_number: '1', service_type: 'Ground' },
    ];
    const optional = ['quantity', 'shipped_at', 'package_id', 'tracking_url', 'carrier_name'];
    const inRefunds = ['refund_id', 'explanation'];
    for (const [name, field] of Object.entries(properties)) {
      if (field.type === undefined || [field.type].flat().includes('array')) continue;
      const action = optional.includes(name) ? 'fulfill' : inRefunds.includes(name) ? 'refund' : undefined;
      const base = lines.find((each) => (action === undefined ? name in each : each.action === action));
      assert.ok(base !== undefined, name);
      const property = fc.asyncProperty(fc.option(valuesNear(field)), async (value) => {
        if (name === 'action' && value !== null && properties.action?.enum?.includes(String(value))) return;
        const sent = { ...base, ...(value === 'partial' && { fees: ['buyer_fee'] }), [name]: value };
        const problems = await send(sent);
        // A number that names no order.
        if (name === 'order_id' && /^There is no order/.test(problems[0]?.reason ?? '')) return;
        assertAgrees(problems, {
          name: exactly(name),
          value,
          isValid: check.isValid(line, sent),
          description: field.description,
        });
      });
      await fc.assert(property, { ...RUNS, examples: [[null]] });
    }
    assert.deepEqual(await send({ ...lines[0], colour: 'red' }), [
      { name: 'colour', reason: 'unrecognized' },
    ]);
  });

  it('POST /imports.json accepts exactly the documented parameters and values', async () => {
    const operation = operationOf(importFile);
    const send = (parameters: Record<string, unknown>): Promise<ClientResponse> => {
      const entries = Object.entries(parameters).map(([name, value]) => [name, String(value)]);
      const query = new URLSearchParams([['access_token', merchant.token], ...entries]);
      return service().request('POST', `${importFile.path}?${query}`);
    };
    for (const [{ name, schema }, index] of inQuery(operation)) {
      const at = `${operation.pointer}/parameters/${index}/schema`;
      const property = fc.asyncProperty(valuesNear(schema), async (value) => {
        const [problem] = problemsOf(await send({ [name]: value }));
        // Nothing is imported, because the file is missing.
        assert.equal(problem?.name, check.isValid(at, value) ? 'file' : name);
      });
      await fc.assert(property, RUNS);
    }
    const own = operation.parameters.map(({ name }) => name);
    const all = operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    for (const name of new Set([...all, 'colour']).difference(new Set(own))) {
      const { status, message } = await send({ [name]: '1' });
      assert.equal(status, 400);
      assert.match(
        message,
        new RegExp(`^The following parameters were provided but are not recognized: ${name}\\. `),
      );
    }
  });
});

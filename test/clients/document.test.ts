import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { DocumentPath } from '../../clients/read-documents.ts';
import { documents, generateTypes } from '../../clients/typescript/generate.ts';
import { Tradepost, TradepostOperator } from '../../clients/typescript/src/index.ts';
import { endpoints, type Operation, type ParametersOf } from '../../clients/typescript/src/operations.ts';
import {
  type OperatorOperation,
  operatorEndpoints,
} from '../../clients/typescript/src/operator-operations.ts';
import { sqlite } from '../support/engines.ts';
import { type OpenApiDocument, operationsOf } from '../support/openapi.ts';
import { useService } from '../support/service.ts';

/** A property with a default that is always there. */
const REQUIRED_DEFAULT = /@default (?:(?!\*\/)[\s\S])*\*\/\s*(?:readonly )?"?[\w.-]+"?: /;

const client = join(import.meta.dirname, '..', '..', 'clients', 'typescript');

describe('the TypeScript client and the OpenAPI document', () => {
  const service = useService(sqlite);
  let document: OpenApiDocument;
  let operatorDocument: OpenApiDocument;
  before(async () => {
    document = JSON.parse(await readJson('/openapi.json'));
    operatorDocument = JSON.parse(await readJson('/operator/openapi.json'));
  });
  const readJson = async (path: DocumentPath): Promise<string> =>
    (await service().client.request('GET', path)).text;

  it('its types were generated from the documents that the service returns', async () => {
    for (const path of Object.keys(documents) as DocumentPath[]) {
      const built = await readFile(join(client, 'src', documents[path]), 'utf8');
      const json = await readJson(path);
      assert.equal(built, await generateTypes(path, json), 'the document has changed: run npm run build');
      assert.notEqual(built, await generateTypes(path, json.replaceAll('"campaign', '"other')));
    }
  });

  it('its types require no parameter that has a default', async () => {
    // Compiles only so.
    const undo: ParametersOf<'undoChange'> = { import_id: 'x' };
    const cancel: ParametersOf<'cancelOrder'> = { order_id: 1, reason: 'other' };
    assert.ok(!('dry_run' in undo) && !('restock' in cancel));
    for (const path of Object.keys(documents) as DocumentPath[]) {
      const built = await readFile(join(client, 'src', documents[path]), 'utf8');
      assert.match(built, /@default /);
      assert.doesNotMatch(built, REQUIRED_DEFAULT);
    }
  });

  it('it has a method for each operation, which sends the documented request', async () => {
    const sent: { url: URL; method: string | undefined; headers: Headers; names: string[] }[] = [];
    const tradepost = new Tradepost({
      baseUrl: service().baseUrl,
      token: 'tp_1',
      erpName: 'Northwind',
      fetch: async (address, { method, headers, body }) => {
        const url = new URL(address);
        const names =
          (method === 'POST' || method === 'PUT') && typeof body === 'string'
            ? Object.keys(JSON.parse(body))
            : [...url.searchParams.keys()];
        sent.push({ url, method, headers: new Headers(headers), names });
        return Response.json([]);
      },
    });
    const operations = operationsOf(document);
    assert.deepEqual(Object.keys(endpoints).sort(), operations.map(({ operationId }) => operationId).sort());
    for (const { operationId, method, path, parameters } of operations) {
      const described = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      const call: unknown = tradepost[operationId as Operation];
      assert.ok(typeof call === 'function', operationId);
      const values = Object.fromEntries([...inPath, ...described].map((name) => [name, '1']));
      const first = operationId === 'importFile' ? [new Blob(['identifier'])] : [];
      const lines = operationId === 'writeProducts' || operationId === 'changeOrders' ? [[]] : first;
      await call.apply(tradepost, described.length + inPath.length > 0 ? [...first, values] : lines);
      const request = sent.pop();
      assert.ok(request !== undefined);
      assert.equal(request.method, method);
      const filled = path.replaceAll(/\{\w+\}/g, '1');
      assert.equal(request.url.pathname, `${service().config.basePath}${filled}`);
      assert.deepEqual(request.names.sort(), described.sort());
      assert.equal(request.headers.get('authorization'), 'Bearer tp_1');
      const read = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      for (const name of read.filter((name) => name === 'X-ERP-Name' || name === 'Idempotency-Key')) {
        assert.ok(request.headers.has(name), `${operationId} sends ${name}`);
      }
      assert.equal(request.headers.has('idempotency-key'), read.includes('Idempotency-Key'));
    }
  });

  it('the operator’s client has a method for each operation, which sends the documented request', async () => {
    const sent: { url: URL; method: string | undefined; headers: Headers; body: unknown }[] = [];
    const operator = new TradepostOperator({
      baseUrl: service().operatorUrl,
      token: 'tpo_1',
      fetch: async (address, { method, headers, body }) => {
        const text = body instanceof ReadableStream ? await new Response(body).text() : body;
        sent.push({ url: new URL(address), method, headers: new Headers(headers), body: text });
        return Response.json({});
      },
    });
    const operations = operationsOf(operatorDocument);
    const names = operations.map(({ operationId }) => operationId);
    assert.deepEqual(Object.keys(operatorEndpoints).sort(), names.sort());
    for (const { operationId, method, path, parameters, requestBody } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `${name}/ü`);
      const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const takesList = operationId === 'reportPlacementOutcomes' || operationId === 'moderateProducts';
      const isStream = requestBody?.content['application/x-ndjson'] !== undefined && !takesList;
      const { $ref, ...own } = requestBody?.content['application/json']?.schema ?? {};
      const named = $ref === undefined ? own : operatorDocument.components.schemas[basename($ref)];
      const members = named?.properties ?? {};
      const takesMembers = isStream || takesList || Object.keys(members).length > 0;
      const values =
        requestBody === undefined ? Object.fromEntries(inQuery.map((name) => [name, '1'])) : { a: 1 };
      const call: unknown = operator[operationId as OperatorOperation];
      assert.ok(typeof call === 'function', operationId);
      const hasValues = inQuery.length > 0 || takesMembers;
      const value = takesList ? [values, values] : values;
      const last = isStream ? [() => [values, values]] : hasValues ? [value] : [];
      await call.apply(operator, [...inPath, ...last]);
      const request = sent.pop();
      assert.ok(request !== undefined);
      assert.equal(request.method, method);
      const expected = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(`${name}/ü`));
      assert.equal(request.url.pathname, `/operator/v1${expected}`);
      assert.deepEqual([...request.url.searchParams.keys()].sort(), inQuery.sort());
      const posted = takesList ? '[{"a":1},{"a":1}]' : takesMembers ? '{"a":1}' : '{}';
      const body = isStream ? '{"a":1}\n{"a":1}\n' : requestBody === undefined ? undefined : posted;
      assert.equal(request.body, body, operationId);
      assert.equal(request.headers.get('authorization'), 'Bearer tpo_1');
      const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
      assert.equal(request.headers.has('idempotency-key'), isKeyed, operationId);
    }
  });

  it('it has the same version as the program', async () => {
    const versionOf = async (directory: string): Promise<unknown> =>
      JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).version;
    assert.equal(await versionOf(client), await versionOf(join(client, '..', '..')));
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { generateTypes } from '../../clients/typescript/generate.ts';
import { Tradepost } from '../../clients/typescript/src/index.ts';
import { endpoints, type Operation } from '../../clients/typescript/src/operations.ts';
import { sqlite } from '../support/engines.ts';
import { type OpenApiDocument, operationsOf } from '../support/openapi.ts';
import { useService } from '../support/service.ts';

const client = join(import.meta.dirname, '..', '..', 'clients', 'typescript');

describe('the TypeScript client and the OpenAPI document', () => {
  const service = useService(sqlite);
  let json: string;
  let document: OpenApiDocument;
  before(async () => {
    json = (await service().client.request('GET', '/openapi.json')).text;
    document = JSON.parse(json);
  });

  it('its types were generated from the document that the service returns', async () => {
    const built = await readFile(join(client, 'src', 'openapi.ts'), 'utf8');
    assert.equal(built, await generateTypes(json), 'the document has changed: run npm run build');
    assert.notEqual(built, await generateTypes(json.replaceAll('"total_entries"', '"total"')));
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
          method === 'POST' && typeof body === 'string'
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
      const call: unknown = tradepost[operationId as Operation];
      assert.ok(typeof call === 'function', operationId);
      const values = Object.fromEntries(described.map((name) => [name, '1']));
      const first = operationId === 'importFile' ? [new Blob(['identifier'])] : [];
      const lines = operationId === 'writeProducts' ? [[]] : first;
      await call.apply(tradepost, described.length > 0 ? [...first, values] : lines);
      const request = sent.pop();
      assert.ok(request !== undefined);
      assert.equal(request.method, method);
      assert.equal(request.url.pathname, `${service().config.basePath}${path}`);
      assert.deepEqual(request.names.sort(), described.sort());
      assert.equal(request.headers.get('authorization'), 'Bearer tp_1');
      const read = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
      for (const name of read.filter((name) => name === 'X-ERP-Name' || name === 'Idempotency-Key')) {
        assert.ok(request.headers.has(name), `${operationId} sends ${name}`);
      }
      assert.equal(request.headers.has('idempotency-key'), read.includes('Idempotency-Key'));
    }
  });

  it('it has the same version as the program', async () => {
    const versionOf = async (directory: string): Promise<unknown> =>
      JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).version;
    assert.equal(await versionOf(client), await versionOf(join(client, '..', '..')));
  });
});

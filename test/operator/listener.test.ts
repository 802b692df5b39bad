import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import type { OpenApiDocument } from '../support/openapi.ts';
import { startTestService } from '../support/service.ts';

const SPELLINGS = ['/operator/v1/merchants', '/%6fperator/v1/merchants', '/operator/openapi.json'];

describe('OPERATOR_ADDRESS', () => {
  it('moves the operator API to a listener of its own, with the same certificate', async () => {
    await using service = await startTestService(sqlite, {
      environment: { OPERATOR_ADDRESS: '127.0.0.1:0', PUBLIC_URL: 'https://shop.example' },
    });
    const token = await service.newOperatorToken();
    const headers = { authorization: `Bearer ${token}` };
    const ca = await readFile(join(service.config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const operator = new Client(new URL(service.operatorUrl).origin, ca);
    assert.notEqual(operator.origin.port, service.client.origin.port);
    assert.equal((await operator.request('GET', '/operator/v1/merchants', { headers })).status, 200);
    const document = (await operator.request('GET', '/operator/openapi.json')).json<OpenApiDocument>();
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      ['/operator/v1'],
      'not at the public address',
    );
    for (const path of SPELLINGS) {
      expectError(
        await service.client.request('GET', path, { headers }),
        404,
        /^There is nothing at \/operator/,
      );
    }
    for (const path of ['/operator', '/operator/sign-in', '/operator/api/options']) {
      const { status, message } = await service.client.request('GET', path);
      assert.deepEqual([status, message], [404, `There is nothing at ${path}.`]);
      assert.equal((await operator.request('GET', path)).status, 200, path);
    }
    const { token: merchantToken } = await service.newMerchant();
    const listing = `/v1/products.json?access_token=${merchantToken}`;
    assert.equal((await service.client.request('GET', listing)).status, 200);
    for (const path of [listing, '/console', '/console/api/options', '/openapi.json', '/']) {
      assert.equal((await operator.request('GET', path)).status, 404, path);
    }
    assert.match(await operator.raw('nonsense\r\n\r\n'), /^HTTP\/1\.1 400/);
    assert.match(await operator.raw('GET / HTTP/1.1\r\nhost: a\r\n\r\n', { tls: false }), /Use HTTPS/);
    operator.close();
  });

  it('without it, both are at the same address', async () => {
    await using service = await startTestService(sqlite);
    const token = await service.newOperatorToken();
    assert.equal(new URL(service.operatorUrl).port, service.client.origin.port);
    assert.equal((await service.operator('GET', '/merchants', token)).status, 200);
    assert.equal((await service.client.request('GET', '/operator')).status, 200);
  });
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { apiErrors } from '../../src/http/responses/statuses.ts';
import { Client, type ClientResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, useService } from '../support/service.ts';

/** The error has this name, and its link leads to an anchor of the server's page. */
async function expectHelp(client: Client, response: ClientResponse, code: string): Promise<void> {
  expectError(response, response.status, /./);
  assert.equal(response.headers['tradepost-error'], code);
  assert.match(response.header('access-control-expose-headers'), /\bTradepost-Error\b/);
  const [, path = '', anchor = ''] = /^<(.+)#(.+)>; rel="help"$/.exec(response.header('link')) ?? [];
  const page = await client.request('GET', path);
  assert.equal(page.status, 200);
  assert.ok(page.text.includes(`<section id="${anchor}">`), anchor);
}

describe('the page of all errors', () => {
  const service = useService(sqlite, { environment: { ADDRESS_RATE_LIMIT: '40' } });

  it('GET /errors needs no token, and describes each error at its anchor', async () => {
    const { client } = service();
    const page = await client.request('GET', '/errors');
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.header('content-security-policy'), /default-src 'none'/);
    for (const name of apiErrors.keys()) assert.ok(page.text.includes(`<section id="${name}">`), name);
    const current = { headers: { 'if-none-match': page.header('etag') } };
    assert.equal((await client.request('GET', '/errors', current)).status, 304);
    assert.equal((await client.request('HEAD', '/errors')).bytes.length, 0);
  });

  it('errors of the console have no name and no link', async () => {
    const { status, headers } = await service().client.request('GET', '/console/api/session');
    assert.equal(status, 401);
    assert.deepEqual([headers['tradepost-error'], headers.link], [undefined, undefined]);
  });

  it('every error names itself and links to its description', async () => {
    const { client } = service();
    const merchant = await service().newMerchant();
    const expected: [code: string, path: string, options?: object][] = [
      ['token_missing', '/v1/products'],
      ['token_refused', '/v1/products?access_token=x'],
      ['operator_token_missing', '/operator/v1/merchants'],
      ['not_found', '/nowhere'],
      ['not_found', '/%'],
      ['url_too_long', `/v1/products?a=${'x'.repeat(14_000)}`],
      ['unrecognized_parameters', `/v1/products?access_token=${merchant.token}&color=red`],
      ['invalid_parameters', `/v1/products?access_token=${merchant.token}&page=0`],
    ];
    for (const [code, path] of expected) await expectHelp(client, await client.request('GET', path), code);
    const simulated = { headers: { 'tradepost-simulate': 'status=503' } };
    const test = await service().newTestKey(merchant);
    const path = `/v1/products?access_token=${test.token}`;
    await expectHelp(client, await client.request('GET', path, simulated), 'unavailable');
    for (const [bytes, options] of [
      ['nonsense\r\n\r\n', {}],
      ['GET /v1 HTTP/1.1\r\nhost: a\r\n\r\n', { tls: false }],
    ] as const) {
      const text = await client.raw(bytes, options);
      assert.match(text, /^tradepost-error: (malformed_request|https_required)\r$/m);
      assert.match(text, /^link: <\/errors#(malformed_request|https_required)>; rel="help"\r$/m);
    }
    let limited = await client.request('GET', '/nowhere');
    for (let sent = 0; limited.status !== 429 && sent < 100; sent += 1)
      limited = await client.request('GET', '/nowhere');
    expectError(limited, 429, /address/);
    assert.equal(limited.headers['tradepost-error'], 'address_limited');
  });

  it('the server of OPERATOR_ADDRESS has the page too', async () => {
    await using split = await startTestService(sqlite, {
      environment: { OPERATOR_ADDRESS: '127.0.0.1:0' },
    });
    const ca = await readFile(join(split.config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const operator = new Client(new URL(split.operatorUrl).origin, ca);
    const refused = await operator.request('GET', '/operator/v1/merchants');
    await expectHelp(operator, refused, 'operator_token_missing');
    await expectHelp(operator, await operator.request('GET', '/v1/products'), 'not_found');
    operator.close();
  });
});

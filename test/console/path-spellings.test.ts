import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClientResponse, parseResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, useService } from '../support/service.ts';

const service = useService(sqlite);

/** Sends the target as written, without normalization by a URL parser. */
async function raw(target: string, { method = 'GET', headers = ['Host: x'] } = {}): Promise<ClientResponse> {
  const lines = [`${method} ${target} HTTP/1.1`, 'Connection: close', ...headers];
  return parseResponse(await service().client.raw(`${lines.join('\r\n')}\r\n\r\n`));
}

function expectProtected(response: ClientResponse, label: string): void {
  const policy = response.header('content-security-policy').split('; ');
  assert.ok(policy.includes("frame-ancestors 'none'"), `${label}: ${response.status} without a policy`);
  assert.equal(response.header('strict-transport-security'), 'max-age=31536000', label);
  assert.equal(response.header('x-content-type-options'), 'nosniff', label);
  assert.equal(response.headers['access-control-allow-origin'], undefined, label);
  assert.match(response.header('x-request-id'), /./, label);
}

const spellings: [target: string, status: number][] = [
  ['/%63onsole', 200],
  ['/c%6Fns%6fle', 200],
  ['/%63%6F%6E%73%6F%6C%65?a=%63', 200],
  ['/%63onsole/products', 200],
  ['/console/%70roducts', 200],
  ['/%63onsole/api/session', 401],
  ['/console/%61pi/session', 401],
  ['/%63onsole/api/nothing', 404],
  ['/%63onsole/%ff', 404],
  ['/%63onsole/%zz', 404],
  ['/%63onsole/%00', 200],
  ['/console/%2e%2e/v1/products.json', 404],
  ['/console/../console', 404],
  ['/console/./products', 404],
  ['https://host/console', 200],
  ['https://host/%63onsole', 200],
  ['HTTP://host/%63onsole/api/session', 401],
  ['https://host/%63onsole/%ff', 404],
  ['https://host', 308],
  ['https://host?a=1', 308],
  [`/%63onsole/${'x'.repeat(14_500)}`, 414],
  [`https://host/%63onsole/${'x'.repeat(14_500)}`, 414],
  [`/%63onsole/${'x'.repeat(20_000)}`, 414],
];

describe('all spellings of a console URL', () => {
  it('400: a request without Host has the security headers too', async () => {
    const response = await raw('/console', { headers: [] });
    assert.equal(response.status, 400);
    expectProtected(response, 'no Host');
  });

  for (const [target, status] of spellings) {
    it(`${status}: ${target.slice(0, 50)} has the console’s security headers, and other origins cannot read it`, async () => {
      const response = await raw(target);
      assert.equal(response.status, status, response.text);
      expectProtected(response, target);
    });
  }

  it('HEAD, unsupported methods, and requests without Host have the security headers too', async () => {
    for (const target of ['/console', '/%63onsole', '/%63onsole/api/session']) {
      for (const [method, statuses] of [
        ['HEAD', [200, 401]],
        ['POST', [405]],
        ['DELETE', [405]],
        ['OPTIONS', [405]],
      ] as const) {
        const response = await raw(target, { method });
        assert.ok(
          statuses.some((status) => status === response.status),
          `${method} ${target}: ${response.status}`,
        );
        expectProtected(response, `${method} ${target}`);
      }
      const response = await raw(target, { headers: [] });
      assert.equal(response.status, 400);
      expectProtected(response, `${target} without a Host`);
    }
  });

  it('431: the response to oversized headers has the security headers too', async () => {
    for (const headers of [
      ['Host: x', `A: ${'a'.repeat(20_000)}`],
      ['Host: x', ...Array.from({ length: 101 }, (_, index) => `A${index}: b`)],
    ]) {
      const response = await raw('/%63onsole', { headers });
      assert.equal(response.status, 431);
      expectProtected(response, '431');
    }
  });

  it('429 and 503: responses to requests rejected early have the security headers too', async (t) => {
    const limited = await startTestService(sqlite, { environment: { ADDRESS_RATE_LIMIT: '1' } });
    t.after(() => limited.close());
    for (const target of ['/%63onsole', '/%63onsole', 'https://host/%63onsole']) {
      const head = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      expectProtected(parseResponse(await limited.client.raw(head)), target);
    }
  });
});

describe('paths that only look like console URLs', () => {
  for (const target of [
    '/console%2Fapi/session',
    '/CONSOLE',
    '//console',
    '/%2Fconsole',
    '/./console',
    '/v1/../console',
    '/v1/%2e%2e/console',
    '/console;x',
    '/console%00',
    '/console%20',
    '/%2563onsole',
    '/\\console',
    '/%5Cconsole',
    '/console\\api\\session',
    '/console#x',
    '/#/console',
    '/consolex',
  ]) {
    it(`404: ${target} is an unknown path of the API`, async () => {
      expectError(await raw(target), 404, /^There is nothing at /);
    });
  }

  it('4xx: * is not a path', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await raw('*', { method });
      assert.ok(response.status >= 400 && response.status < 500, `${response.status}`);
    }
  });
});

describe('percent-encoded unreserved characters in API paths', () => {
  it('200: are decoded', async () => {
    const { token } = await service().newMerchant();
    for (const path of ['/%76%31/products.json', '/v1/products%2Ejson', '/v1/%70roducts']) {
      const response = await raw(`${path}?access_token=${token}&pagination=true`);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers['access-control-allow-origin'], '*');
      assert.match(response.header('link'), /^<\/v1\/products(\.json)?\?/);
    }
  });

  it('405: an unsupported method, with the supported ones in Allow', async () => {
    const response = await raw('/v1/%70roducts.json', { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.equal(response.header('allow'), 'GET, HEAD, POST, OPTIONS');
  });

  it('200: are decoded only once in query values', async () => {
    const { token } = await service().newMerchant();
    const response = await raw(`/v1/variations/retrieve.json?access_token=${token}&identifier=%2563%23%2E`);
    expectError(response, 404, /%63#\./);
  });
});

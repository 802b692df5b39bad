import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Client } from '../support/client.ts';
import { everyEndpoint } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const USE_HTTPS = /^Use HTTPS/;
const proto = (value: string): { headers: Record<string, string> } => ({
  headers: { 'x-forwarded-proto': value },
});

describe('with its own TLS', () => {
  const service = useService(sqlite);
  let token: string;
  before(async () => {
    token = (await service().newMerchant()).token;
  });
  const plainClient = (): Client => new Client(service().client.origin.href.replace('https:', 'http:'), null);

  for (const { method, path, query } of everyEndpoint) {
    it(`400: ${method} ${path} over plain HTTP on the TLS port asks for HTTPS, and does not look up the token`, async () => {
      const plain = plainClient();
      for (const access_token of [token, 'unknown']) {
        const response = await plain.request(
          method,
          `/v1${path}?${new URLSearchParams({ ...query, access_token })}`,
        );
        expectError(response, 400, USE_HTTPS);
        assert.equal(response.headers.location, undefined);
      }
      plain.close();
    });
  }

  it('400: plain HTTP with small or large post data gets a response, not a connection reset', async () => {
    const plain = plainClient();
    for (const size of [10, 100_000, 5_000_000]) {
      expectError(
        await plain.request('POST', '/v1/campaigns.json', { body: Buffer.alloc(size, 'a') }),
        400,
        USE_HTTPS,
      );
    }
    plain.close();
  });

  it('400: plain HTTP gets its valid X-Request-Id back', async () => {
    const plain = plainClient();
    const response = await plain.request('GET', '/v1/products.json', {
      headers: { 'x-request-id': 'abc-1' },
    });
    assert.equal(response.headers['x-request-id'], 'abc-1');
    plain.close();
  });

  it('200: ignores X-Forwarded-Proto from an address that is not trusted', async () => {
    const response = await service().request('GET', `/products.json?access_token=${token}`, proto('http'));
    assert.equal(response.status, 200);
  });

  it('survives bytes that are not a request', async () => {
    for (const bytes of [
      '\x16\x03\x01garbage',
      'garbage\r\n\r\n',
      '\0\0\0\0',
      'GET / HTTP/9.9\r\n\r\n',
      '\x80',
    ]) {
      const response = await service().client.raw(bytes, { tls: false });
      assert.doesNotMatch(response, /HTTP\/1.1 200/);
    }
    assert.equal((await service().get('/products.json', await service().newMerchant())).status, 200);
  });
});

describe('with its own TLS behind a trusted proxy', () => {
  const service = useService(sqlite, { environment: { TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' } });

  it('400: trusts the proxy that the client used plain HTTP', async () => {
    const { token } = await service().newMerchant();
    for (const value of ['http', 'HTTP', 'https, http', 'http,https', 'ws', '']) {
      const response = await service().request('GET', `/products.json?access_token=${token}`, proto(value));
      expectError(response, 400, USE_HTTPS);
    }
  });

  it('200: accepts HTTPS as reported by the proxy, or its own TLS if the proxy reports nothing', async () => {
    const { token } = await service().newMerchant();
    for (const sent of [proto('https'), proto('HTTPS'), proto('https, https'), {}]) {
      const response = await service().request('GET', `/products.json?access_token=${token}`, sent);
      assert.equal(response.status, 200, response.text);
    }
  });
});

describe('with TLS=proxy', () => {
  const service = useService(sqlite, { environment: { TLS: 'proxy', TRUST_PROXY: '127.0.0.1' } });

  it('200: accepts requests that arrived over HTTPS according to the trusted proxy', async () => {
    assert.match(service().baseUrl, /^http:/);
    const { token } = await service().newMerchant();
    const response = await service().request('GET', `/products.json?access_token=${token}`, proto('https'));
    assert.equal(response.status, 200);
  });

  it('400: rejects all other requests, including those for unknown and malformed paths', async () => {
    const { token } = await service().newMerchant();
    for (const path of [`/products.json?access_token=${token}`, '/nowhere', '/%zz']) {
      expectError(await service().request('GET', path, proto('http')), 400, USE_HTTPS);
      expectError(await service().request('GET', path), 400, USE_HTTPS);
    }
  });
});

describe('with TLS=proxy and no trusted address', () => {
  const service = useService(sqlite, { environment: { TLS: 'proxy' } });

  it('400: rejects every request', async () => {
    const { token } = await service().newMerchant();
    expectError(
      await service().request('GET', `/products.json?access_token=${token}`, proto('https')),
      400,
      USE_HTTPS,
    );
  });
});

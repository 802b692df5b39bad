import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '../support/client.ts';
import { endpoints } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const USE_HTTPS = /^Use HTTPS/;
const proto = (value: string): { headers: Record<string, string> } => ({
  headers: { 'x-forwarded-proto': value },
});

forEachEngine((engine) => {
  describe('with TLS of its own', () => {
    const service = useService(engine);
    const plainClient = (): Client =>
      new Client(service().client.origin.href.replace('https:', 'http:'), null);

    for (const { method, path, query } of endpoints) {
      it(`400: plain HTTP on the TLS port, ${method} ${path}, is told to use HTTPS, and its token is not looked up`, async () => {
        const { token } = await service().newMerchant();
        const plain = plainClient();
        for (const access_token of [token, 'unknown']) {
          const answer = await plain.request(
            method,
            `/v1${path}?${new URLSearchParams({ ...query, access_token })}`,
          );
          expectError(answer, 400, USE_HTTPS);
          assert.equal(answer.headers.location, undefined);
        }
        plain.close();
      });
    }

    it('400: plain HTTP with post data, small and large, gets the answer and not a reset', async () => {
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

    it('400: plain HTTP keeps a sane X-Request-Id', async () => {
      const plain = plainClient();
      const answer = await plain.request('GET', '/v1/products.json', {
        headers: { 'x-request-id': 'abc-1' },
      });
      assert.equal(answer.headers['x-request-id'], 'abc-1');
      plain.close();
    });

    it('200: X-Forwarded-Proto counts for nothing from an address that is not trusted', async () => {
      const { token } = await service().newMerchant();
      const answer = await service().request('GET', `/products.json?access_token=${token}`, proto('http'));
      assert.equal(answer.status, 200);
    });

    it('stays up when the port is sent what is no request', async () => {
      for (const bytes of [
        '\x16\x03\x01garbage',
        'garbage\r\n\r\n',
        '\0\0\0\0',
        'GET / HTTP/9.9\r\n\r\n',
        '\x80',
      ]) {
        const answer = await service().client.raw(bytes, { tls: false });
        assert.doesNotMatch(answer, /HTTP\/1.1 200/);
      }
      assert.equal((await service().get('/products.json', await service().newMerchant())).status, 200);
    });
  });

  describe('with TLS of its own behind a trusted proxy', () => {
    const service = useService(engine, { environment: { TRUST_PROXY: '10.0.0.0/8, 127.0.0.1' } });

    it('400: believes the proxy that the caller used plain HTTP', async () => {
      const { token } = await service().newMerchant();
      for (const value of ['http', 'HTTP', 'https, http', 'http,https', 'ws', '']) {
        const answer = await service().request('GET', `/products.json?access_token=${token}`, proto(value));
        expectError(answer, 400, USE_HTTPS);
      }
    });

    it('200: with the word of the proxy, or by its own TLS where there is none', async () => {
      const { token } = await service().newMerchant();
      for (const sent of [proto('https'), proto('HTTPS'), proto('https, https'), {}]) {
        const answer = await service().request('GET', `/products.json?access_token=${token}`, sent);
        assert.equal(answer.status, 200, answer.text);
      }
    });
  });

  describe('with TLS=proxy', () => {
    const service = useService(engine, { environment: { TLS: 'proxy', TRUST_PROXY: '127.0.0.1' } });

    it('200: what the trusted proxy says arrived by HTTPS', async () => {
      assert.match(service().baseUrl, /^http:/);
      const { token } = await service().newMerchant();
      const answer = await service().request('GET', `/products.json?access_token=${token}`, proto('https'));
      assert.equal(answer.status, 200);
    });

    it('400: everything else, unknown and malformed addresses too', async () => {
      const { token } = await service().newMerchant();
      for (const path of [`/products.json?access_token=${token}`, '/nowhere', '/%zz']) {
        expectError(await service().request('GET', path, proto('http')), 400, USE_HTTPS);
        expectError(await service().request('GET', path), 400, USE_HTTPS);
      }
    });
  });

  describe('with TLS=proxy and no trusted address', () => {
    const service = useService(engine, { environment: { TLS: 'proxy' } });

    it('400: every request', async () => {
      const { token } = await service().newMerchant();
      expectError(
        await service().request('GET', `/products.json?access_token=${token}`, proto('https')),
        400,
        USE_HTTPS,
      );
    });
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { startTestService, useService } from '../support/service.ts';

describe('requests of browsers to the console', () => {
  const service = useService(sqlite);
  beforeEach(() => service().passTime(61_000));
  const own = () => service().client.origin.origin;

  it('403: a change requested by a page of another origin, or of an unknown one', async () => {
    const client = await signedIn(service(), await service().newMerchant());
    const rejected: [site: string | null, origin: string | undefined][] = [
      ['cross-site', undefined],
      ['same-site', undefined],
      ['none', undefined],
      ['cross-site', own()],
      [null, 'https://elsewhere.example'],
      [null, 'null'],
      [null, own().replace('https:', 'http:')],
      [null, undefined],
    ];
    for (const [site, origin] of rejected) {
      const headers = origin === undefined ? {} : { origin };
      for (const path of ['/auth/sign-out', '/auth/change-password', '/keys', '/registration']) {
        const response = await client.request('POST', path, { site, headers });
        assert.equal(response.status, 403, `${path} ${site} ${origin}`);
        assert.match(response.message, /own pages only/);
        assert.equal(response.headers['access-control-allow-origin'], undefined);
      }
    }
    assert.equal((await client.get('/session')).status, 200);
    const response = await client.request('POST', '/auth/sign-out', {
      site: null,
      headers: { origin: own() },
    });
    assert.equal(response.status, 200);
  });

  it('403: content types that a form on another origin can send', async () => {
    const { email } = await newUser(service(), await service().newMerchant());
    const body = JSON.stringify({ email, password: PASSWORD });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type, 'content-length': String(body.length) };
      const response = await new ConsoleClient(service().client).request('POST', '/auth/sign-in/email', {
        body,
        headers,
      });
      assert.equal(response.status, 403, type);
      assert.match(response.message, /accepts JSON/);
    }
  });

  it('400: a body that is too large', async () => {
    const client = new ConsoleClient(service().client);
    const response = await client.post('/auth/sign-in/email', {
      email: 'x'.repeat(2_000_000),
      password: 'x',
    });
    assert.equal(response.status, 400);
  });

  it('rejects preflight requests, and lets no other origin read a response', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    for (const path of [
      '/console/api/session',
      '/console/api/auth/sign-in/email',
      '/console',
      '/',
      '/console/api/no',
    ]) {
      for (const method of ['OPTIONS', 'GET', 'PUT']) {
        const response = await service().client.request(method, path, { headers });
        assert.equal(response.headers['access-control-allow-origin'], undefined, `${method} ${path}`);
        if (method !== 'GET') assert.match(String(response.status), /^40[45]$/);
      }
    }
  });

  it('uses the forwarded host only if the proxy is trusted', async () => {
    const client = new ConsoleClient(service().client);
    const headers = { origin: 'https://shop.example', 'x-forwarded-host': 'shop.example' };
    assert.equal((await client.request('POST', '/auth/sign-out', { site: null, headers })).status, 403);
    await using trusting = await startTestService(sqlite, { environment: { TRUST_PROXY: '127.0.0.1' } });
    const trusted = new ConsoleClient(trusting.client);
    assert.equal((await trusted.request('POST', '/auth/sign-out', { site: null, headers })).status, 200);
  });
});

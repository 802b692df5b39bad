import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

describe('GET /openapi.json', () => {
  const service = useService(sqlite, { environment: { TRUST_PROXY: '127.0.0.1' } });
  const send = (method: string, headers: Record<string, string> = {}, path = '/openapi.json') =>
    service().client.request(method, path, { headers });

  it('200: needs no token, is readable only by pages of this origin, and is revalidated each time', async () => {
    const { status, headers } = await send('GET');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.match(String(headers['x-request-id']), /.+/);
  });

  it('200: HEAD has the headers of GET and no body', async () => {
    const sent = { 'x-request-id': 'same' };
    const [get, head] = [await send('GET', sent), await send('HEAD', sent)];
    assert.equal(head.bytes.length, 0);
    assert.deepEqual({ ...head.headers, date: '' }, { ...get.headers, date: '' });
  });

  it('304: if If-None-Match is the ETag of the document', async () => {
    const etag = (await send('GET')).header('etag');
    assert.match(etag, /^W\/"/);
    for (const method of ['GET', 'HEAD']) {
      const response = await send(method, { 'if-none-match': etag });
      assert.equal(response.status, 304);
      assert.equal(response.bytes.length, 0);
    }
  });

  it('200: compressed if the client accepts it', async () => {
    const plain = await send('GET');
    const compressed = await send('GET', { 'accept-encoding': 'zstd' });
    assert.equal(compressed.headers['content-encoding'], 'zstd');
    assert.ok(compressed.bytes.length * 4 < plain.bytes.length);
  });

  it('400: a request without HTTPS', async () => {
    expectError(await send('GET', { 'x-forwarded-proto': 'http' }), 400, /use https/i);
  });

  it('404 and 405: other paths and other methods', async () => {
    for (const path of ['/openapi', '/openapi.json/', '/v1/openapi.json', '/v1/openapi']) {
      expectError(await send('GET', {}, path), 404, /^There is nothing at/);
    }
    const response = await send('POST');
    expectError(response, 405, /^POST is not allowed/);
    assert.equal(response.headers.allow, 'GET, HEAD, OPTIONS');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ClientResponse, parseResponse } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const line = 'GET /v1/products.json HTTP/1.1\r\n';
const NOT_HTTP = /not well-formed HTTP/;
const TOO_LARGE = /headers are too large/;

const malformed: [name: string, bytes: string, message: RegExp][] = [
  ['text that is not HTTP', 'hello\r\n\r\n', NOT_HTTP],
  ['another protocol version', 'GET /v1/products.json HTTP/9.9\r\nHost: x\r\n\r\n', NOT_HTTP],
  ['another protocol', 'DESCRIBE /v1/products.json RTSP/1.0\r\nHost: x\r\n\r\n', NOT_HTTP],
  ['a corrupted HTTP/2 preface', 'PRI *SHTTP/2.0\r\n\r\nSM\r\n\r\n', NOT_HTTP],
  ['a header without a colon', `${line}Host: x\r\nno colon\r\n\r\n`, NOT_HTTP],
  ['a NUL in a header', `${line}Host: x\r\nA: \0\r\n\r\n`, NOT_HTTP],
  ['headers that are too large', `${line}Host: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, TOO_LARGE],
  [
    'two Content-Length headers',
    `${line}Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    NOT_HTTP,
  ],
  [
    'Content-Length with Transfer-Encoding: chunked',
    `${line}Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    NOT_HTTP,
  ],
  ['a space in the URL', 'GET /v1/products.json ?a=1 HTTP/1.1\r\nHost: x\r\n\r\n', NOT_HTTP],
  ['a missing Host header', `${line}Connection: close\r\n\r\n`, NOT_HTTP],
  ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', NOT_HTTP],
];

describe('malformed HTTP', () => {
  const service = useService(sqlite);

  for (const [name, bytes, message] of malformed) {
    it(`4xx: ${name} gets a regular error response, and the service stays up`, async () => {
      const response = parseResponse(await service().client.raw(bytes));
      assert.ok(response.status >= 400 && response.status < 500, `${response.status}`);
      expectError(response, response.status, message);
      assert.equal((await service().get('/products.json', await service().newMerchant())).status, 200);
    });
  }

  it('400: a request whose body is malformed keeps its request id', async () => {
    const head = `POST /v1/campaigns.json HTTP/1.1\r\nHost: x\r\nX-Request-Id: sync-7\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = parseResponse(await service().client.raw(`${head}not a chunk\r\n`));
    expectError(response, 400, NOT_HTTP);
    assert.equal(response.header('x-request-id'), 'sync-7');
  });

  it('405 and 200: a URL in absolute form stands for its path', async () => {
    const { token } = await service().newMerchant();
    const raw = async (head: string): Promise<ClientResponse> =>
      parseResponse(await service().client.raw(`${head} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    const products = 'http://elsewhere.example/v1/products.json';
    assert.equal((await raw(`DELETE ${products}`)).headers.allow, 'GET, HEAD, POST, OPTIONS');
    const response = await raw(`GET ${products}?access_token=${token}&pagination=1`);
    assert.equal(response.status, 200);
    assert.match(response.header('link'), /^<\/v1\/products\.json\?/);
  });

  it('200: ignores an unknown expectation', async () => {
    const { token } = await service().newMerchant();
    const headers = { expect: 'miracles' };
    const response = await service().request('GET', `/products.json?access_token=${token}`, { headers });
    assert.equal(response.status, 200);
  });

  it('200 and 400: never sends 100 Continue inside a pipelined response', async () => {
    const { token } = await service().newMerchant();
    const start = `GET /v1/products.json?access_token=${token}`;
    const first = `${start}&pagination=true HTTP/1.1\r\nHost: x\r\n\r\n`;
    const second = `${start}&page=x HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const text = await service().client.raw(first + second);
    assert.equal(parseResponse(text).status, 200);
    expectError(parseResponse(text.slice(text.indexOf('HTTP/1.1 400'))), 400, /^page: /);
  });

  it('414: sends no 100 Continue for a request that is already rejected', async () => {
    const head = `POST /v1/campaigns.json?a=${'a'.repeat(14_000)} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n`;
    const text = await service().client.raw(`${head}Expect: 100-continue\r\nConnection: close\r\n\r\n`);
    assert.match(text, /^HTTP\/1\.1 414 /);
  });

  const campaign =
    (name: string, headers = '') =>
    async (after: string) => {
      const { token } = await service().newMerchant();
      const form = `access_token=${token}&name=${name}&type=A`;
      const type = 'Content-Type: application/x-www-form-urlencoded';
      const head = `POST /v1/campaigns.json HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${form.length}\r\n${headers}`;
      return await service().client.raw(`${head}\r\n${form}${after}`);
    };

  it('200 and then 400: responds to a malformed request after the request before it', async () => {
    const text = await campaign('First')('hello\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 .*"name":"First".*HTTP\/1\.1 400 .*not well-formed HTTP/s);
  });

  it('414: sends one response to a request that is rejected early and then turns out malformed', async () => {
    const head = `POST /v1/campaigns.json?a=${'a'.repeat(14_000)} HTTP/1.1\r\nHost: x\r\n`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`;
    for (const parts of [[`${chunked}zzz\r\n`], [chunked, 'zzz\r\n']]) {
      const text = await service().client.raw(parts);
      assert.match(text, /^HTTP\/1\.1 414 /);
      assert.equal(text.split('HTTP/1.1 ').length, 2);
    }
  });

  it('200: sends no response to bytes after the last request of a connection', async () => {
    const text = await campaign('Last', 'Connection: close\r\n')('hello\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 .*"name":"Last"/s);
    assert.equal(text.split('HTTP/1.1 ').length, 2);
  });

  it('200: ignores an offer to upgrade, and closes the connection', async () => {
    const text = await campaign('Only', 'Connection: upgrade\r\nUpgrade: h2c\r\n')(line);
    assert.match(text, /^HTTP\/1\.1 200 .*connection: close/is);
  });

  it('400: responds to malformed plain HTTP on the TLS port too', async () => {
    const raw = async (bytes: string) => parseResponse(await service().client.raw(bytes, { tls: false }));
    expectError(await raw('hello\r\n\r\n'), 400, NOT_HTTP);
    expectError(await raw(`${line}Host: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`), 431, TOO_LARGE);
    expectError(parseResponse(await service().client.raw(`${line}\r\n`, { tls: false })), 400, /^Use HTTPS/);
  });

  it('logs no errors for client mistakes', () => {
    const serious = service().log.filter((entry) => JSON.parse(entry).level >= 50);
    assert.deepEqual(serious, []);
  });
});

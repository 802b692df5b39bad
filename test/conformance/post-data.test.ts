import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ClientResponse, multipartBody, type RequestOptions } from '../support/client.ts';
import {
  allEndpoints,
  endpoints,
  importEndpoints,
  orderWrites,
  takesLines,
  writes,
} from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const FORM = 'application/x-www-form-urlencoded';
const as = (type: string, body: string | Buffer, headers = {}): RequestOptions => ({
  body,
  headers: { 'content-type': type, ...headers },
});
const multipart = (part: string): RequestOptions =>
  as('multipart/form-data; boundary=b', `--b\r\nContent-Disposition: form-data; ${part}\r\n--b--\r\n`);

const unreadable: [name: string, sent: RequestOptions, reason: RegExp][] = [
  ['JSON that is cut short', as('application/json', '{"page":1'), /it is not valid JSON/],
  ['JSON followed by other text', as('application/json', '{"page":1} x'), /it is not valid JSON/],
  [
    'JSON that is nested too deep',
    as('application/json', `{"page":${'['.repeat(60_000)}`),
    /more than 100 levels/,
  ],
  ['blank JSON', as('application/json', '  '), /it is not valid JSON/],
  ['a JSON array', as('application/json', '[{"page":1}]'), /the JSON must be an object/],
  ['a JSON string', as('application/json', '"page=1"'), /the JSON must be an object/],
  ['a JSON null', as('application/json', 'null'), /the JSON must be an object/],
  [
    'JSON that is not UTF-8',
    as('application/json', Buffer.from('{"a":"\xff"}', 'latin1')),
    /it is not UTF-8/,
  ],
  [
    'JSON in UTF-16',
    as('application/json', Buffer.from('{"page":1}', 'utf16le')),
    /it is not valid JSON|UTF-8/,
  ],
  ['another charset', as('application/json; charset=utf-16', '{}'), /its charset must be UTF-8/],
  ['a form in another charset', as(`${FORM}; charset="iso-8859-1"`, 'a=1'), /its charset must be UTF-8/],
  ['text', as('text/plain', 'page=1'), /its Content-Type must be/],
  ['XML', as('application/xml', '<page>1</page>'), /its Content-Type must be/],
  ['another JSON-based media type', as('application/ld+json', '{}'), /its Content-Type must be/],
  ['no Content-Type', { body: 'page=1' }, /its Content-Type must be/],
  ['a blank Content-Type', as('', 'page=1'), /Content-Type/],
  ['a malformed Content-Type', as('json', '{}'), /Content-Type/],
  ['a compressed body', as(FORM, gzipSync('page=1'), { 'content-encoding': 'gzip' }), /Content-Encoding/],
  ['multipart without a boundary', as('multipart/form-data', '--b'), /it is not valid multipart/],
  [
    'multipart with another boundary',
    as('multipart/form-data; boundary=c', '--b\r\n\r\n--b--'),
    /not valid multipart/,
  ],
  [
    'multipart with a file',
    multipart('name="page"; filename="a.txt"\r\n\r\n1'),
    /files are not accepted \(page\)/,
  ],
  [
    'multipart that is not UTF-8',
    as(
      'multipart/form-data; boundary=b',
      Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--b--', 'latin1'),
    ),
    /it is not UTF-8/,
  ],
];

describe('post data', () => {
  const service = useService(sqlite);

  for (const [name, sent, reason] of unreadable) {
    it(`400: ${name} is rejected by every endpoint`, async () => {
      const { token } = await service().newMerchant();
      const others = allEndpoints.filter((each) => !takesLines(each));
      for (const { method, path, query } of [...others, ...importEndpoints]) {
        const url = `${path}?${new URLSearchParams({ ...query, access_token: token })}`;
        const response = await service().request(method, url, sent);
        expectError(response, 400, /^The post data cannot be read: /);
        assert.match(response.message, reason);
      }
    });
  }

  it('400: rejects more than 1 MiB on calls that write products or change campaigns, and more than 64 KiB on others', async () => {
    const { token } = await service().newMerchant();
    for (const [list, bytes, limit] of [
      [[...endpoints, ...importEndpoints, ...orderWrites], 64 * 1024, '64 KiB'],
      [writes, 1024 * 1024, '1 MiB'],
    ] as const) {
      for (const { method, path } of list) {
        const send = (length: number): Promise<ClientResponse> =>
          service().request(method, `${path}?access_token=${token}`, as(FORM, 'a'.repeat(length)));
        expectError(
          await send(bytes),
          400,
          /^The following parameters were provided but are not recognized: aaa/,
        );
        const message = `The post data cannot be read: it is larger than ${limit}.`;
        expectError(await send(bytes + 1), 400, message);
      }
    }
  });

  it('400: rejects far more than the limit', async () => {
    const { token } = await service().newMerchant();
    const sent = as(FORM, Buffer.alloc(10_000_000, 'a'));
    for (const { method, path } of [...endpoints.slice(0, 2), ...writes.slice(0, 2)]) {
      const response = await service().request(method, `${path}?access_token=${token}`, sent);
      expectError(response, 400, /^The post data cannot be read: it is larger than (64 KiB|1 MiB)\.$/);
    }
  });

  it('400: rejects a chunked body that is too large, without a Content-Length', async () => {
    const { token } = await service().newMerchant();
    const chunk = 'a'.repeat(0x4000);
    const head = `POST /v1/campaigns.json?access_token=${token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    const body = `name=${chunk.slice(5)}`;
    const chunks = [body, ...Array(5).fill(chunk)].map((part) => `4000\r\n${part}\r\n`);
    const response = await service().client.raw(
      `${head}Content-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`,
    );
    assert.match(response, /^HTTP\/1\.1 400 /);
    assert.match(response, /larger than 64 KiB/);
  });

  it('200: accepts exactly 64 KiB, and keeps working after a larger body', async () => {
    const { token } = await service().newMerchant();
    const start = `access_token=${token}&page=`;
    const full = `${start}${' '.repeat(64 * 1024 - start.length).replaceAll(' ', '+')}`;
    assert.equal((await service().request('GET', '/products.json', as(FORM, full))).status, 200);
    assert.equal((await service().request('GET', '/products.json', as(FORM, `${full}+`))).status, 400);
    assert.equal((await service().request('GET', '/products.json', as(FORM, full))).status, 200);
  });

  it('200: accepts media types and charsets in any letter case, and with parameters', async () => {
    const { token } = await service().newMerchant();
    const { body } = multipartBody([['access_token', token]]);
    for (const sent of [
      as('APPLICATION/X-WWW-FORM-URLENCODED; Charset=UTF-8', `access_token=${token}`),
      as(`${FORM};charset=utf8`, `access_token=${token}`),
      as(FORM, `access_token=${token}`, { 'content-encoding': 'identity' }),
      as('Application/JSON; charset="utf-8"', JSON.stringify({ access_token: token })),
      as('application/json', `\ufeff \r\n\t${JSON.stringify({ access_token: token })}\n`),
      as('multipart/form-data; charset=utf-8; boundary="tradepost-test-boundary"', body),
    ]) {
      const response = await service().request('GET', '/products.json', sent);
      assert.equal(response.status, 200, `${sent.headers?.['content-type']}: ${response.text}`);
    }
  });

  it('200: ignores an empty body of any type', async () => {
    const { token } = await service().newMerchant();
    for (const type of ['application/json', FORM, 'text/plain', 'multipart/form-data']) {
      const response = await service().request('GET', `/products.json?access_token=${token}`, as(type, ''));
      assert.equal(response.status, 200, `${type}: ${response.text}`);
    }
  });

  it('200: accepts post data that is chunked, with Expect: 100-continue, or on HEAD', async () => {
    const { token } = await service().newMerchant();
    const body = `access_token=${token}`;
    const chunked = { ...as(FORM, body, { 'transfer-encoding': 'chunked' }) };
    const { 'content-length': _, ...headers } = { 'content-length': '', ...chunked.headers };
    const lines = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const response = await service().client.raw(
      `GET /v1/products.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    );
    assert.match(response, /^HTTP\/1\.1 200 /);
    const expecting = await service().request(
      'GET',
      '/products.json',
      as(FORM, body, { expect: '100-continue' }),
    );
    assert.equal(expecting.status, 200);
    assert.equal((await service().request('HEAD', '/products.json', as(FORM, body))).status, 200);
  });
});

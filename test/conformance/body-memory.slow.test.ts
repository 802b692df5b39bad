import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
/** Large post data that one merchant may have in progress: 32 MiB beyond the first 64 KiB of each. */
const MAX_LARGE = 34;
const REFUSED = 6;
/** All merchants together have 256 MiB. Eight leave memory for one more. */
const MERCHANTS_USING_ALL = 8;
const FRAMINGS = [`Content-Length: ${MIB}`, 'Transfer-Encoding: chunked'];
const TOO_LATE = /^Post data larger than 64 KiB needs an access_token before it: as a query parameter or as/;

forEachEngine((engine) => {
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off', RATE_LIMIT: 'off' } });

  async function open(): Promise<TLSSocket> {
    const { hostname: host, port } = service().client.origin;
    const ca = await readFile(join(service().config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const socket = connect({ host, port: Number(port), ca });
    socket.on('error', () => {});
    return socket;
  }

  /** Sends `before` and the headers of a request, but no post data. */
  async function begin(
    headers: readonly string[],
    before = '',
    contentType = 'application/json',
  ): Promise<TLSSocket> {
    const socket = await open();
    const all = ['Host: a', `Content-Type: ${contentType}`, ...headers].join('\r\n');
    socket.write(`${before}POST /v1/products HTTP/1.1\r\n${all}\r\n\r\n`);
    return socket;
  }

  /**
   * Begins more requests than a merchant has memory for, and waits until the last ones are refused: an
   * earlier request would take the place of one of them.
   */
  async function useUpMemory(
    t: TestContext,
    headers: readonly string[],
    before?: string,
  ): Promise<TLSSocket[]> {
    const refused = await refusedRequests(t);
    const all = Array.from({ length: MAX_LARGE + REFUSED }, () => begin(headers, before));
    const sockets = await Promise.all(all);
    await until(async () => (await refused()) === REFUSED);
    return sockets;
  }

  /** Returns a function that resolves to the number of requests refused since now. */
  async function refusedRequests(t: TestContext): Promise<() => Promise<number>> {
    const getHealth = await startHealthServer(t, service().health);
    const refused = async (): Promise<number> =>
      parseSamples((await getHealth('/metrics')).text).get('tradepost_shed_requests_total') ?? 0;
    const before = await refused();
    return async () => (await refused()) - before;
  }

  async function firstResponse(socket: TLSSocket): Promise<{ status: number; message: string } | undefined> {
    let received = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      received += String(chunk);
      const [, status, body] = /^HTTP\/1\.1 (\d+)[\s\S]*\r\n\r\n(\{[\s\S]*\})/.exec(received) ?? [];
      if (body !== undefined) return { status: Number(status), ...JSON.parse(body) };
    }
    return undefined;
  }

  const bearer = (token: string): string => `Authorization: Bearer ${token}`;
  const large = (
    token: string,
    place: 'body' | 'header',
    { identifier = 'A' } = {},
  ): Promise<ClientResponse> => {
    const json = { identifier, title: 'T', description: ' '.repeat(MIB - 1_000) };
    return place === 'body'
      ? service().request('POST', '/products', { json: { ...json, access_token: token } })
      : service().request('POST', '/products', { json, headers: { authorization: `Bearer ${token}` } });
  };

  it('401: large post data without a valid token in the query or header is not waited for', async () => {
    const { token } = await service().newMerchant();
    const [length = '', chunked = ''] = FRAMINGS;
    for (const headers of [[length], [length, bearer('unknown')], [chunked, bearer('unknown')]]) {
      const socket = await begin(headers);
      const response = await firstResponse(socket);
      assert.equal(response?.status, 401);
      assert.match(response.message, headers.length === 1 ? TOO_LATE : /access_token is not valid/);
    }
    expectError(await large(token, 'body'), 401, TOO_LATE);
    const inQuery = await service().request('POST', `/products?access_token=${token}`, {
      json: { identifier: 'A', title: 'T', description: 'x'.repeat(100_000) },
    });
    assert.equal(inQuery.status, 200, inQuery.text);
  });

  it('401: chunked post data without a token before it is read up to 64 KiB', async () => {
    const { token } = await service().newMerchant();
    const send = async (bytes: number): Promise<{ status: number; message: string } | undefined> => {
      const socket = await begin(['Transfer-Encoding: chunked']);
      const body = JSON.stringify({ identifier: 'A', access_token: token }).padEnd(bytes);
      for (let start = 0; start < bytes; start += 16_384) {
        const chunk = body.slice(start, start + 16_384);
        socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      }
      // Without the end of larger post data, which is not waited for.
      if (bytes <= 65_536) socket.write('0\r\n\r\n');
      return await firstResponse(socket);
    };
    const small = await send(65_536);
    assert.equal(small?.status, 400);
    assert.match(small.message, /^title: missing/);
    const tooLarge = await send(65_537);
    assert.equal(tooLarge?.status, 401);
    assert.match(tooLarge.message, TOO_LATE);
  });

  it('400: chunked post data whose type is malformed is discarded, and the next request is answered', async () => {
    const socket = await begin(['Transfer-Encoding: chunked'], '', 'malformed');
    const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`;
    socket.write(chunk.repeat(10));
    const refused = await firstResponse(socket);
    assert.equal(refused?.status, 400);
    assert.match(refused.message, /Content-Type is not well-formed/);
    socket.write('0\r\n\r\nGET /v1/account HTTP/1.1\r\nHost: a\r\n\r\n');
    assert.equal((await firstResponse(socket))?.status, 401);
  });

  for (const framing of FRAMINGS) {
    it(`503: a merchant’s large post data, sent slowly, uses only its own share of memory (${framing})`, async (t) => {
      const hostile = await service().newMerchant();
      const merchant = await service().newMerchant();
      const sockets = await useUpMemory(t, [framing, bearer(hostile.token)]);
      expectError(await large(hostile.token, 'header'), 503, /overloaded; try again shortly/);
      // Its small requests are not affected, and neither is the large post data of others.
      assert.equal((await service().get('/account', hostile)).status, 200);
      assert.equal((await large(merchant.token, 'header')).status, 200);
      for (const socket of sockets) socket.destroy();
      await untilServed(hostile.token);
    });
  }

  it('503: when all memory is in use, the slowest post data of a merchant with the most gives way to others', async (t) => {
    const merchant = await service().newMerchant();
    const sockets: TLSSocket[] = [];
    const hostile: string[] = [];
    for (let number = 0; number < MERCHANTS_USING_ALL; number += 1) {
      const { token } = await service().newMerchant();
      hostile.push(token);
      sockets.push(...(await useUpMemory(t, [`Content-Length: ${MIB}`, bearer(token)])));
    }
    // What is left is too little for another one.
    sockets.push(await begin([`Content-Length: ${MIB}`, bearer((await service().newMerchant()).token)]));
    const shed = await refusedRequests(t);
    const last = hostile.at(-1) ?? '';
    for (let number = 1; number <= 3; number += 1) {
      const identifier = `A${number}`;
      const response = await large(merchant.token, 'header', { identifier });
      assert.equal(response.status, 200, response.text);
    }
    const gaveWay = await shed();
    assert.ok(gaveWay >= 1 && gaveWay <= 3, `${gaveWay} requests gave way`);
    expectError(await large(last, 'header'), 503, /overloaded; try again shortly/);
    for (const socket of sockets) socket.destroy();
    await untilServed(last);
  });

  it('a connection that closes while a response on it waits for an earlier one frees its memory', async (t) => {
    const { token } = await service().newTestKey(await service().newMerchant());
    const slow = `GET /v1/account?access_token=${token} HTTP/1.1\r\nHost: a\r\nTradepost-Simulate: delay=30\r\n\r\n`;
    const headers = [`Content-Length: ${MIB}`, bearer(token)];
    const sockets = await useUpMemory(t, headers, slow);
    assert.equal((await large(token, 'header')).status, 503);
    for (const socket of sockets) socket.destroy();
    await untilServed(token);
  });

  async function untilServed(token: string): Promise<void> {
    await until(async () => (await large(token, 'header')).status !== 503);
  }
});

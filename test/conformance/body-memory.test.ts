import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
/** More than may be in progress without a known token. */
const CONNECTIONS = 40;

forEachEngine((engine) => {
  // The tests repeat requests with a wrong token until a condition holds.
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });

  /** Opens a connection and sends the headers of a request, but nothing of its post data. `before` precedes it. */
  async function begin(framing: string, before = ''): Promise<TLSSocket> {
    const { hostname: host, port } = service().client.origin;
    const ca = await readFile(join(service().config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const socket = connect({ host, port: Number(port), ca });
    socket.on('error', () => {});
    const headers = `Host: a\r\nContent-Type: application/json\r\n${framing}`;
    socket.write(`${before}POST /v1/products HTTP/1.1\r\n${headers}\r\n\r\n`);
    return socket;
  }

  const large = (token: string, place: 'body' | 'header'): Promise<ClientResponse> => {
    const json = { identifier: 'A', title: 'T', description: ' '.repeat(MIB - 1_000) };
    return place === 'body'
      ? service().request('POST', '/products', { json: { ...json, access_token: token } })
      : service().request('POST', '/products', { json, headers: { authorization: `Bearer ${token}` } });
  };

  /**
   * Repeats large post data with an unknown token until the response has a status. Calls `renew` before each repetition, and
   * counts the connections that it renewed.
   */
  const untilUnknown = async (status: number, renew = async (): Promise<number> => 0): Promise<void> => {
    let response: ClientResponse | undefined;
    let renewed = 0;
    await until(
      async () => {
        renewed += await renew();
        response = await large('unknown', 'body');
        return response.status === status;
      },
      {
        message: () =>
          `expected ${status}, but the response is ${response?.status} ${response?.text} (${renewed} renewed)`,
      },
    );
  };

  /** Opens connections until they use up the memory. The service may close one of them, which is then opened again. */
  const useUpMemory = async (framing: string, before = ''): Promise<TLSSocket[]> => {
    const open = (): Promise<TLSSocket> => begin(framing, before);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, open));
    await untilUnknown(503, async () => {
      const closed = sockets.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));
      for (const index of closed) sockets[index] = await open();
      return closed.length;
    });
    return sockets;
  };

  for (const framing of [`Content-Length: ${MIB}`, 'Transfer-Encoding: chunked']) {
    it(`503: large post data that clients send slowly does not use up memory (${framing})`, async () => {
      const merchant = await service().newMerchant();
      const sockets = await useUpMemory(framing);
      expectError(await large('unknown', 'body'), 503, /overloaded; try again shortly/);
      // Small requests are not affected, and neither are those of merchants whose token is known.
      assert.equal((await service().get('/account', merchant)).status, 200);
      const written = await large(merchant.token, 'header');
      assert.notEqual(written.status, 503, written.text);
      for (const socket of sockets) socket.destroy();
      await untilUnknown(401);
    });
  }

  it('a connection that closes while a response on it waits for an earlier one frees its memory', async () => {
    const { token } = await service().newTestKey(await service().newMerchant());
    const slow = `GET /v1/account?access_token=${token} HTTP/1.1\r\nHost: a\r\nTradepost-Simulate: delay=30\r\n\r\n`;
    const framing = `Content-Length: ${MIB}`;
    const sockets = await useUpMemory(framing, slow);
    for (const socket of sockets) socket.destroy();
    await untilUnknown(401);
  });
});

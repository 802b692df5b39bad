import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Client } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { isInstalled, proxyKinds, type RunningProxy, startProxy } from './proxies.ts';

const MAX_REQUESTS = 200;
const PER_SESSION = 60;
const SESSIONS = 6;
const MAX_CONNECTIONS = 400;

for (const kind of proxyKinds) {
  const skip = (await isInstalled(kind))
    ? false
    : `${kind.name} is not installed: apt-get install ${kind.name.toLowerCase()}`;
  describe(`one address behind ${kind.name}, configured as in deploy/`, { skip }, () => {
    const cleanups: (() => unknown)[] = [];
    let service: TestService;
    let proxy: RunningProxy;

    before(async () => {
      const environment = {
        DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
        TLS: 'proxy',
        TRUST_PROXY: '127.0.0.1',
      };
      service = await startTestService({ name: 'sqlite', environment: async () => environment });
      const port = Number(new URL(service.baseUrl).port);
      proxy = await startProxy({ after: (cleanup) => cleanups.push(cleanup) }, kind, [port, port]);
    });
    after(async () => {
      await service?.close();
      for (const cleanup of cleanups) await cleanup();
    });

    async function expectOthersServed(): Promise<void> {
      const own = new Client(proxy.origin, proxy.ca, '127.0.0.9');
      assert.equal((await own.request('GET', '/openapi.json')).status, 200);
      own.close();
    }

    it('429: has 200 requests in progress at most, over HTTP/2 too', async (t) => {
      const statuses: number[] = [];
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => openSession(t, proxy)));
      const streams = sessions.flatMap((session) =>
        Array.from({ length: PER_SESSION }, () => beginSlowPost(session, (status) => statuses.push(status))),
      );
      const refused = streams.length - MAX_REQUESTS;
      await until(() => statuses.filter((status) => status === 429).length >= refused, {
        message: () => `${statuses.length} of ${streams.length} have a response: ${[...new Set(statuses)]}`,
      });
      assert.deepEqual(new Set(statuses), new Set([429]));
      await expectOthersServed();
    });

    if (kind.name !== 'HAProxy') return;
    it('has 400 connections at most, even if they send nothing', async (t) => {
      const port = Number(new URL(proxy.origin).port);
      const sockets: Socket[] = [];
      t.after(() => sockets.map((socket) => socket.destroy()));
      let closed = 0;
      for (let count = 0; count < MAX_CONNECTIONS + 100; count += 1) {
        const socket = connectTcp({ host: '127.0.0.1', port, localAddress: '127.0.0.10' });
        socket.on('error', () => {});
        socket.on('close', () => (closed += 1));
        sockets.push(socket);
      }
      await until(() => closed >= 100);
      assert.equal(closed, 100);
      await expectOthersServed();
    });
  });
}

async function openSession(t: TestContext, { origin, ca }: RunningProxy): Promise<ClientHttp2Session> {
  const session = connect(origin, { ca });
  t.after(() => session.destroy());
  session.on('error', () => {});
  await once(session, 'connect');
  return session;
}

/** Sends the headers and the first byte of post data, but not the rest. */
function beginSlowPost(session: ClientHttp2Session, onStatus: (status: number) => void): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/v1/campaigns',
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': '1000',
  });
  stream.on('error', () => {});
  stream.on('response', (headers) => onStatus(Number(headers[':status'])));
  stream.write('a');
  return stream;
}

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { Client } from '../support/client.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { isInstalled, proxyKinds, type RunningProxy, startProxy } from './proxies.ts';
import { sendHttp2 } from './raw-http2.ts';
import { ambiguousHttp2, ambiguousRequests, FORGED_ADDRESS } from './smuggling.ts';

/** The service and the proxy respond sooner, or wait for more of the request. */
const RESPONSE_MS = 300;
/** More than the connections that an ambiguous request can have left between the proxy and the service. */
const PROBES = 4;

for (const kind of proxyKinds) {
  const skip = (await isInstalled(kind))
    ? false
    : `${kind.name} is not installed: apt-get install ${kind.name.toLowerCase()}`;
  describe(`behind ${kind.name}, configured as in deploy/`, { skip }, () => {
    const cleanups: (() => unknown)[] = [];
    let service: TestService;
    let proxy: RunningProxy;
    let merchant: TestMerchant;
    let probes = 0;

    before(async () => {
      const environment = {
        DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
        TLS: 'proxy',
        TRUST_PROXY: '127.0.0.1',
        AUTH_FAILURE_LIMIT: 'off',
      };
      service = await startTestService({ name: 'sqlite', environment: async () => environment });
      const port = Number(new URL(service.baseUrl).port);
      proxy = await startProxy({ after: (cleanup) => cleanups.push(cleanup) }, kind, [port, port]);
      merchant = await service.newMerchant();
    });
    after(async () => {
      await service?.close();
      for (const cleanup of cleanups) await cleanup();
    });

    async function send(bytes: string, { origin, ca }: RunningProxy = proxy): Promise<void> {
      const { hostname: host, port } = new URL(origin);
      const socket = connect({ host, port: Number(port), ca }, () => {
        socket.write(bytes, 'latin1');
        setTimeout(() => socket.destroy(), RESPONSE_MS);
      });
      socket.on('error', () => {});
      socket.resume();
      await once(socket, 'close');
    }

    /** Other clients, whose requests use the same connections to the service, get their own responses. */
    async function expectNoEffect(name: string): Promise<void> {
      await Promise.all(
        Array.from({ length: PROBES }, async () => {
          probes += 1;
          const id = `probe-${probes}`;
          const own = new Client(proxy.origin, proxy.ca);
          const headers = { 'x-request-id': id, authorization: `Bearer ${merchant.token}` };
          const response = await own.request('GET', '/v1/account', { headers });
          own.close();
          assert.equal(response.header('x-request-id'), id, name);
          assert.equal(response.status, 200, `${name}: ${response.text}`);
        }),
      );
      const forged = service.log.filter((line) => line.includes(FORGED_ADDRESS));
      assert.deepEqual(forged, [], `${name}: a request that the proxy did not see, or with its own address`);
    }

    it('the proxy and the service read every HTTP/1 request alike, and no client chooses its address', async () => {
      for (const [name, bytes] of Object.entries(ambiguousRequests)) {
        await send(bytes);
        await expectNoEffect(name);
      }
    });

    it('refuses CONNECT, and lengths that could be read modulo a power of two, before the service sees them', async (t) => {
      let passedOn = '';
      const recorder = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk: Buffer) => {
          passedOn += chunk.toString('latin1');
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        });
      });
      recorder.listen(0, '127.0.0.1');
      await once(recorder, 'listening');
      t.after(() => recorder.close());
      const { port } = recorder.address() as AddressInfo;
      const own = await startProxy(t, kind, [port, port]);
      const host = 'Host: shop.example:443\r\n';
      const post = `POST /v1/campaigns HTTP/1.1\r\n${host}`;
      await until(async () => {
        await send(`GET /v1/account HTTP/1.1\r\n${host}\r\n`, own);
        return passedOn.includes('/v1/account');
      });
      await send(`CONNECT shop.example:443 HTTP/1.1\r\n${host}\r\n`, own);
      for (const length of ['4294967297', '9223372036854775809', '18446744073709551617'])
        await send(`${post}Content-Length: ${length}\r\n\r\na`, own);
      assert.doesNotMatch(passedOn, /CONNECT|POST/);
    });

    it('the service reads every HTTP/2 request as the proxy does, and no client chooses its address', async () => {
      for (const [name, [headers, body]] of Object.entries(ambiguousHttp2)) {
        await sendHttp2(proxy, headers, body);
        await expectNoEffect(name);
      }
    });
  });
}

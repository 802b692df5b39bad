import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { Client } from '../support/client.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
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

    async function send(bytes: string): Promise<void> {
      const { hostname: host, port } = new URL(proxy.origin);
      const socket = connect({ host, port: Number(port), ca: proxy.ca }, () => {
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

    it('the service reads every HTTP/2 request as the proxy does, and no client chooses its address', async () => {
      for (const [name, [headers, body]] of Object.entries(ambiguousHttp2)) {
        await sendHttp2(proxy, headers, body);
        await expectNoEffect(name);
      }
    });
  });
}

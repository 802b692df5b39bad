import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Client, type ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';
import { connectionsOf } from '../support/workers.ts';
import { HeldSockets } from './held-socket.ts';
import { Load, start, storedCampaigns } from './restart-load.ts';

const RESTARTS = 10;
/** Twenty starts or more, on a machine that other tests use too. */
const timeout = 900_000;
/** Requests between two restarts, at least. */
const REQUESTS = 40;
const WAITING = { timeoutMs: 200_000, intervalMs: 5 };

/** Restarts under load, and checks that no request failed and each write was stored once. */
async function restartUnderLoad(t: TestContext, settings: Record<string, string>): Promise<void> {
  const running = await start(t, settings);
  const { held, environment } = running;
  const load = new Load(t, running);
  for (let time = 0; time < RESTARTS; time += 1) {
    await load.untilRequests(REQUESTS);
    await held.restart();
  }
  await load.untilRequests(REQUESTS);
  await load.stop();
  await held.close();
  t.diagnostic(
    `${RESTARTS} restarts, ${load.requests} requests, ${load.acknowledged.length} writes, ` +
      `${load.failures.length} failures, the slowest request took ${Math.round(load.slowestMs)} ms`,
  );
  assert.deepEqual(load.failures, []);
  assert.deepEqual(await storedCampaigns(environment), load.acknowledged.sort());
  const statuses = held.log.filter(({ ended }) => ended !== undefined).map(({ ended }) => ended);
  assert.deepEqual(
    statuses,
    Array.from({ length: RESTARTS + 1 }, () => 0),
  );
}

forEachEngine((engine) => {
  for (const WORKERS of ['1', '2'])
    it(`with ${WORKERS} worker: no request fails in ten restarts, and no write is lost`, {
      timeout,
    }, async (t) => {
      await restartUnderLoad(t, { ...(await engine.environment()), WORKERS });
    });
});

it('behind a proxy that terminates TLS: no request fails in ten restarts, and no write is lost', {
  timeout,
}, async (t) => {
  await restartUnderLoad(t, { TLS: 'proxy', TRUST_PROXY: '127.0.0.1' });
});

it('workers share the connections of the socket', async (t) => {
  const { held, origin, ca, token } = await start(t, { WORKERS: '2' });
  const clients = Array.from({ length: 40 }, () => new Client(origin, ca));
  const list = (client: Client): Promise<ClientResponse> =>
    client.request('GET', `/v1/products.json?access_token=${token}`);
  await Promise.all(clients.map(list));
  const [first = 0, second = 0] = await Promise.all(
    held.workerPids.map((pid) => connectionsOf(pid, { baseUrl: new URL(origin) })),
  );
  for (const client of clients) client.close();
  t.diagnostic(`of ${clients.length} connections: ${first} and ${second}`);
  assert.equal(first + second, clients.length);
  assert.ok(Math.min(first, second) > 0);
});

it('when all workers are killed at once, the service ends with 1, and the next one has the socket', async (t) => {
  const { held, origin, ca, token } = await start(t, { WORKERS: '2' });
  held.start();
  for (const pid of held.workerPids) process.kill(pid, 'SIGKILL');
  assert.equal(await held.untilEnded(1), 1);
  assert.match(held.text.join('\n'), /All workers have ended/);
  const client = new Client(origin, ca);
  assert.equal((await client.request('GET', `/v1/products.json?access_token=${token}`)).status, 200);
  client.close();
});

it('a worker that is killed is replaced by one on the same socket', async (t) => {
  const { held, origin, ca, token } = await start(t, { WORKERS: '2' });
  const [killed = 0] = held.workerPids;
  process.kill(killed, 'SIGKILL');
  await until(() => held.workerPids.length === 3, WAITING);
  const client = new Client(origin, ca);
  assert.equal((await client.request('GET', `/v1/products.json?access_token=${token}`)).status, 200);
  client.close();
});

it('closes a connection after the next request, and one without requests after two seconds', async (t) => {
  const { held, origin, ca, token } = await start(t);
  assert(ca !== null);
  const port = held.ports[0] ?? 0;
  // Neither a byte, nor a request after the handshake.
  const silent = connect({ host: '127.0.0.1', port });
  const unused = connectTls({ host: '127.0.0.1', port, ca });
  const kept = new Client(origin, ca);
  const request = (): Promise<ClientResponse> =>
    kept.request('GET', `/v1/products.json?access_token=${token}`);
  await Promise.all([once(silent, 'connect'), once(unused, 'secureConnect')]);
  assert.equal((await request()).header('connection'), 'keep-alive');
  const closed = Promise.all([silent, unused].map((socket) => once(socket.resume(), 'close')));
  const began = performance.now();
  process.kill(held.servicePid, 'SIGTERM');
  await until(() => held.log.some(({ msg = '' }) => msg.startsWith('stopping')), WAITING);
  await pause(50);
  const last = await request();
  assert.deepEqual([last.status, last.header('connection')], [200, 'close']);
  await closed;
  assert.equal(await held.untilEnded(1), 0);
  const elapsed = performance.now() - began;
  assert.ok(elapsed > 1_900 && elapsed < 9_000, `${elapsed} ms`);
  kept.close();
});

it('accepts the connections of a socket for the operator API, and of one for metrics', async (t) => {
  const names = ['operator', 'metrics', 'tradepost.socket'];
  const DATA_DIR = await temporaryDirectory(t);
  const held = await HeldSockets.open(t, names, ([operator, metrics, api]) => ({
    DATA_DIR,
    PORT: String(api),
    OPERATOR_ADDRESS: `127.0.0.1:${operator}`,
    METRICS_ADDRESS: `127.0.0.1:${metrics}`,
    WORKERS: '2',
  }));
  held.start();
  await held.untilServed(1);
  await held.restart();
  const ca = await readFile(join(DATA_DIR, 'tls-cert.pem'), 'utf8');
  const statusOf = async (origin: string, path: string, isPlain = false): Promise<number> => {
    const client = new Client(origin, isPlain ? null : ca);
    const { status } = await client.request('GET', path);
    client.close();
    return status;
  };
  const [operator, metrics, api] = held.ports;
  assert.equal(await statusOf(`https://127.0.0.1:${operator}`, '/operator/v1/merchants'), 401);
  assert.equal(await statusOf(`http://127.0.0.1:${metrics}`, '/readyz', true), 200);
  assert.equal(await statusOf(`https://127.0.0.1:${api}`, '/v1/products.json'), 401);
});

it('refuses to start on a socket whose address is not the one of the settings', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const cases: [names: string[], settings: Record<string, string>, message: RegExp][] = [
    [['api'], { PORT: '9' }, /systemd listens on 127\.0\.0\.1:\d+, but HOST and PORT state 127\.0\.0\.1:9\./],
    [['api'], { PORT: '0', HOST: '0.0.0.0' }, /but HOST and PORT state 0\.0\.0\.0:0\. Change ListenStream=/],
    [['api', 'x'], { PORT: '0' }, /systemd listens on two sockets with the purpose "api"/],
    [['api', 'operator'], { PORT: '0' }, /set OPERATOR_ADDRESS, or disable the unit/],
    [['api', 'metrics'], { PORT: '0' }, /set METRICS_ADDRESS, or disable the unit/],
    [['api', 'operator'], { PORT: '0', OPERATOR_ADDRESS: '127.0.0.1:9' }, /but OPERATOR_ADDRESS states/],
  ];
  for (const [names, settings, message] of cases)
    for (const WORKERS of ['1', '2']) {
      const held = await HeldSockets.open(t, names, () => ({ DATA_DIR, WORKERS, ...settings }));
      held.start();
      assert.equal(await held.untilEnded(1), 1);
      assert.match(held.text.join('\n'), message);
    }
});

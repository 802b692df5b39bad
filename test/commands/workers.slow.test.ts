import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { after, before, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import {
  type CommandResult,
  type Owner,
  ServerProcess,
  temporaryDirectory,
  tradepost,
} from '../support/process.ts';
import { until } from '../support/until.ts';
import { allEnded, connectionsOf, workersOf } from '../support/workers.ts';
import { startPost } from './start-post.ts';

interface Running {
  server: ServerProcess;
  ca: string;
  token: string;
  run(...commandLine: string[]): Promise<CommandResult>;
}

async function start(t: Owner, database: Record<string, string> = {}): Promise<Running> {
  const DATA_DIR = await temporaryDirectory(t);
  const environment = { DATA_DIR, ...database };
  const run = (...commandLine: string[]): Promise<CommandResult> => tradepost(commandLine, environment);
  const created = await run('merchants', 'create', '--name', 'Acme', '--json');
  const server = await ServerProcess.start(t, { WORKERS: '2', ...environment });
  const ca = await readFile(join(DATA_DIR, 'tls-cert.pem'), 'utf8');
  return { server, ca, token: JSON.parse(created.stdout).access_token, run };
}

/** With one connection each, enough for every worker to receive some. */
function newClients(t: TestContext, { server, ca }: Running): Client[] {
  const clients = Array.from({ length: 8 }, () => new Client(server.baseUrl.origin, ca));
  t.after(() => {
    for (const client of clients) client.close();
  });
  return clients;
}

const list = (client: Client, token: string): Promise<ClientResponse> =>
  client.request('GET', `/v1/products.json?access_token=${token}`);

function openSockets(t: TestContext, { server }: Running, localAddress: string, count: number): Socket[] {
  const sockets = Array.from({ length: count }, () =>
    connect({ host: '127.0.0.1', port: Number(server.baseUrl.port), localAddress }),
  );
  for (const socket of sockets) {
    t.after(() => socket.destroy());
    socket.on('error', () => {});
  }
  return sockets;
}

/** Resolves to a function that sends the rest and resolves to the response's status. */
async function beginCampaign({ server, ca, token }: Running): Promise<() => Promise<number | undefined>> {
  const { request, response } = await startPost(new URL('/v1/campaigns.json', server.baseUrl), ca);
  return async () => {
    request.end(String(new URLSearchParams({ access_token: token, name: 'Late', type: 'T' })));
    const { statusCode } = (await response).resume();
    return statusCode;
  };
}

function expectStartFailure({ status, stdout, stderr }: CommandResult, message: RegExp): void {
  assert.equal(status, 1, stderr);
  assert.equal(stdout, '');
  // A worker may have logged something before another one failed.
  assert.match(stderr.replaceAll(/^\{.*\}\n/gm, ''), /^tradepost: [^\n]+\n$/);
  assert.match(stderr, message);
}

forEachEngine((engine) => {
  let running: Running;
  const ends: (() => unknown)[] = [];
  before(async () => {
    running = await start({ after: (end) => ends.push(end) }, await engine.environment());
  });
  after(async () => {
    for (const end of ends) await end();
  });

  it('distributes connections between two processes', async (t) => {
    const { server, token } = running;
    const clients = newClients(t, running);
    for (const client of clients) assert.equal((await list(client, token)).status, 200);
    const held = await Promise.all(workersOf(server).map((pid) => connectionsOf(pid, server)));
    assert.equal(held.length, 2);
    assert.equal(
      held.reduce((sum, count) => sum + count),
      clients.length,
    );
    assert.ok(Math.min(...held) >= 3, `evenly, not ${held.join(' and ')}`);
  });

  it('rejects a revoked key from the next request on, on every connection', async (t) => {
    const { run } = running;
    const created = await run('keys', 'create', '--merchant', 'Acme', '--name', 'second', '--json');
    const { id, access_token: token } = JSON.parse(created.stdout);
    const clients = newClients(t, running);
    for (const client of clients) {
      for (let time = 0; time < 3; time += 1) assert.equal((await list(client, token)).status, 200);
    }
    assert.equal((await run('keys', 'revoke', id)).status, 0);
    for (const client of [...clients, ...newClients(t, running)]) {
      assert.equal((await list(client, token)).status, 401);
    }
  });

  it('invalid tokens do not lock out valid ones from the same address, on any worker', async (t) => {
    const { run, server, ca } = running;
    const bad = newClients(t, running);
    // A worker that waits too long for its share of the limit allows a request, and the next one is refused.
    let sent = 0;
    const isRefused = async (client: Client): Promise<boolean> => {
      sent += 1;
      return (await list(client, `bad-${sent}`)).status === 429;
    };
    for (const client of bad) await until(() => isRefused(client), { intervalMs: 0 });
    const created = await run('keys', 'create', '--merchant', 'Acme', '--name', 'new here', '--json');
    const { access_token: token } = JSON.parse(created.stdout);
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const fresh = new Client(server.baseUrl.origin, ca);
        const { status } = await list(fresh, token);
        fresh.close();
        return status;
      }),
    );
    assert.deepEqual(statuses, Array(20).fill(200));
  });

  it('one Idempotency-Key on many concurrent connections creates one campaign', async (t) => {
    const form = { access_token: running.token, name: 'Once', type: 'T' };
    const headers = { 'idempotency-key': 'once' };
    const clients = newClients(t, running);
    for (const client of clients) await list(client, running.token);
    const responses = await Promise.all(
      [...clients, ...clients, ...clients].map((client) =>
        client.request('POST', '/v1/campaigns.json', { form, headers }),
      ),
    );
    const created = responses.filter(({ status }) => status === 200);
    assert.ok(created.length > 0);
    assert.equal(new Set(created.map(({ text }) => text)).size, 1);
    for (const { status, text } of responses) assert.ok(status === 200 || status === 400, text);
    const { stdout } = await running.run('export', 'campaigns');
    assert.equal(stdout.match(/"name":"Once"/g)?.length, 1);
  });

  it('a killed worker is replaced, and clients need at most two attempts meanwhile', async () => {
    const { server, ca, token } = running;
    let tries = 0;
    let responses = 0;
    const send = async (): Promise<void> => {
      const client = new Client(server.baseUrl.origin, ca);
      const response = await list(client, token).catch(async () => {
        tries += 1;
        await pause(50);
        return await list(client, token);
      });
      client.close();
      assert.equal(response.status, 200);
      responses += 1;
    };
    let replaced = false;
    const clients = Array.from({ length: 4 }, async () => {
      while (!replaced) await send();
    });
    await until(() => responses >= 8);
    const [victim = 0] = workersOf(server);
    process.kill(victim, 'SIGKILL');
    const { pid, signal, level } = JSON.parse(await server.log.line('a worker ended'));
    assert.deepEqual([pid, signal, level], [victim, 'SIGKILL', 40]);
    await server.log.line('"listening"', { after: 2 });
    replaced = true;
    await Promise.all(clients);
    assert.ok(tries <= 8, `${tries} requests failed`);
    assert.equal(new Set(workersOf(server)).size, 3);
  });

  it('SIGTERM: completes requests in progress, and exits with 0 without leaving a process', async () => {
    const { server } = running;
    const workers = workersOf(server);
    // One request on each of the two workers.
    const finish = [await beginCampaign(running), await beginCampaign(running)];
    server.signal('SIGTERM');
    await server.log.line('stopping');
    const newcomer = new Client(server.baseUrl.origin, running.ca);
    await assert.rejects(newcomer.request('GET', '/v1/products.json'), { code: /^ECONN(REFUSED|RESET)$/ });
    assert.deepEqual(await Promise.all(finish.map((end) => end())), [200, 200]);
    assert.deepEqual(await server.ended(), [0, null]);
    await allEnded(workers, 0);
    const serving = server.log.lines.filter((line) => line.includes('"serving"'));
    assert.deepEqual(
      serving.map((line) => JSON.parse(line).workers),
      [2],
    );
  });
});

it('WORKERS=auto starts as many workers as the machine has cores', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const server = await ServerProcess.start(t, { DATA_DIR, WORKERS: 'auto' });
  assert.equal(workersOf(server).length, availableParallelism());
  await server.end('SIGTERM');
});

it('rejects an invalid number of workers, and creates nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const WORKERS of ['0', 'abc', '-1', '1.5', '1000']) {
    const ended = await tradepost(['serve'], { DATA_DIR: join(directory, 'data'), PORT: '0', WORKERS });
    expectStartFailure(
      ended,
      new RegExp(`WORKERS is "${WORKERS}": expected a whole number from 1 to 999, or auto`),
    );
  }
  assert.deepEqual(await readdir(directory), []);
});

it('rejects a host and a port that it cannot listen on, in one line, and leaves no process', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const address = taken.address();
  const PORT = typeof address === 'object' ? String(address?.port) : '';
  // `tradepost` resolves when the last process that can write to its standard error has ended.
  expectStartFailure(
    await tradepost(['serve'], { DATA_DIR, PORT, WORKERS: '3' }),
    new RegExp(`PORT is ${PORT}, which is in use on 127\\.0\\.0\\.1`),
  );
  expectStartFailure(
    await tradepost(['serve'], { DATA_DIR, PORT: '0', WORKERS: '2', HOST: '192.0.2.1' }),
    /HOST is "192\.0\.2\.1", which is not an address of this machine/,
  );
});

it('a connection that was assigned to a worker but never accepted is closed when the worker dies', async (t) => {
  const running = await start(t);
  const [stuck = 0] = workersOf(running.server);
  process.kill(stuck, 'SIGSTOP');
  let responses = 0;
  const sent = newClients(t, running).map(async (client) => {
    const { status } = await list(client, running.token);
    responses += 1;
    return status;
  });
  const outcomes = Promise.allSettled(sent);
  await until(() => responses === sent.length - 1);
  process.kill(stuck, 'SIGKILL');
  const rejected = (await outcomes).filter((outcome) => outcome.status === 'rejected');
  assert.deepEqual(
    rejected.map(({ reason }) => reason.code),
    ['ECONNRESET'],
  );
  assert.equal(responses, sent.length - 1);
});

it('new workers keep the port chosen for PORT=0 after all workers are killed', async (t) => {
  const { server, token } = await start(t);
  for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL');
  await server.log.line('"listening"', { after: 3 });
  assert.equal((await list(server.client, token)).status, 200);
  assert.deepEqual(await server.end('SIGTERM'), [0, null]);
});

it('MAX_CONNECTIONS: closes new connections while every worker is at its limit', async (t) => {
  const running = await start(t, { MAX_CONNECTIONS: '10' });
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
  const sockets = addresses.flatMap((address) => openSockets(t, running, address, 10));
  const open = (): Socket[] => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
  await until(() => open().length <= 20, { message: () => `${open().length} are open` });
  assert.ok(open().length >= 10, `${open().length} are open`);
  for (const socket of sockets) socket.destroy();
  const [client] = newClients(t, running);
  assert(client !== undefined);
  // Workers learn a moment later that connections were closed.
  const isServed = (): Promise<boolean> =>
    list(client, running.token).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isServed, { message: 'no connection is taken' });
  assert.deepEqual(await running.server.end('SIGTERM'), [0, null]);
});

it('a worker that keeps dying is restarted after increasingly long pauses', async (t) => {
  const { server } = await start(t);
  for (let time = 0; time < 3; time += 1) {
    process.kill(workersOf(server).at(-1) ?? 0, 'SIGKILL');
    await server.log.line('"listening"', { after: 2 + time });
  }
  const delays = server.log.lines
    .filter((line) => line.includes('a worker ended'))
    .map((line) => JSON.parse(line).delayMs);
  assert.deepEqual(delays, [100, 300, 700]);
});

it('Ctrl-C, which reaches every process: completes requests in progress, and exits with 0', async (t) => {
  const running = await start(t);
  const { server } = running;
  const workers = workersOf(server);
  const finish = await beginCampaign(running);
  for (const pid of [...workers, server.pid]) process.kill(pid, 'SIGINT');
  await server.log.line('stopping');
  await pause(200);
  assert.equal(await finish(), 200);
  assert.deepEqual(await server.ended(), [0, null]);
  await allEnded(workers, 0);
  assert.ok(server.log.lines.every((line) => !line.includes('a worker ended')));
});

it('a second signal ends all processes immediately', async (t) => {
  const running = await start(t);
  const workers = workersOf(running.server);
  const finish = await beginCampaign(running);
  running.server.signal('SIGTERM');
  await running.server.log.line('stopping');
  assert.deepEqual(await running.server.end('SIGINT'), [1, null]);
  await allEnded(workers, 1_000);
  await assert.rejects(finish(), { code: /^(ECONNRESET|EPIPE)$/ });
});

it('when the primary process is killed, the workers finish the requests in progress and exit', async (t) => {
  const running = await start(t);
  const workers = workersOf(running.server);
  const finish = [await beginCampaign(running), await beginCampaign(running)];
  await running.server.end('SIGKILL');
  await pause(200);
  assert.deepEqual(await Promise.all(finish.map((end) => end())), [200, 200]);
  await allEnded(workers, 3_000);
});

it('SIGTERM: cuts a request that never finishes after ten seconds, and exits with 0', async (t) => {
  const running = await start(t);
  const workers = workersOf(running.server);
  const finish = await beginCampaign(running);
  const began = performance.now();
  assert.deepEqual(await running.server.end('SIGTERM'), [0, null]);
  const elapsed = performance.now() - began;
  assert.ok(elapsed > 9_000 && elapsed < 30_000, `${elapsed} ms`);
  await allEnded(workers, 0);
  await assert.rejects(finish(), { code: /^(ECONNRESET|EPIPE)$/ });
});

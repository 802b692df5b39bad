import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { untilResponse } from '../../bench/measuring/client.ts';
import { program as PROGRAM } from '../../bench/service/servers.ts';
import { Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectStartFailure } from '../support/expect.ts';
import { freePort } from '../support/postgres/programs.ts';
import { type CommandResult, ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { startPost } from './start-post.ts';

const serve = (environment: Record<string, string>): Promise<CommandResult> =>
  tradepost(['serve'], { PORT: '0', ...environment });

it('rejects an invalid setting, and creates nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  const DATA_DIR = join(directory, 'data');
  const settings: [Record<string, string>, RegExp][] = [
    [{ PORT: 'https' }, /PORT is "https": expected a whole number from 0 to 65535/],
    [{ PORT: '65536' }, /PORT is "65536"/],
    [{ BASE_PATH: '/v1/' }, /BASE_PATH is "\/v1\/": expected a path whose last segment is v1/],
    [{ BASE_PATH: '/v2' }, /BASE_PATH is "\/v2"/],
    [{ TLS: 'none' }, /TLS is "none": expected one of own, acme, proxy/],
    [{ TLS_CERT_FILE: 'cert.pem' }, /TLS_CERT_FILE and TLS_KEY_FILE belong together/],
    [{ TLS: 'proxy', TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' }, /TLS is "proxy"/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /TRUST_PROXY has "10\.0\.0\.0\/33"/],
    [{ TRUST_PROXY: 'proxy.example' }, /TRUST_PROXY has "proxy\.example"/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL is "loud": expected one of/],
    [{ RATE_LIMIT: '0' }, /RATE_LIMIT is "0"/],
    [{ LOW_INVENTORY: '-1' }, /LOW_INVENTORY is "-1"/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  ];
  for (const [setting, message] of settings)
    expectStartFailure(await serve({ DATA_DIR, ...setting }), message);
  assert.deepEqual(await readdir(directory), []);
});

it('rejects a data directory that cannot be created', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'file'), '');
  for (const DATA_DIR of [join(directory, 'file'), join(directory, 'file', 'data')]) {
    expectStartFailure(await serve({ DATA_DIR }), /DATA_DIR is "[^"]+", which cannot be created/);
    expectStartFailure(await tradepost(['merchants', 'list'], { DATA_DIR }), /DATA_DIR is/);
  }
});

it('rejects a host and a port that it cannot listen on', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const taken = createServer();
  taken.listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  expectStartFailure(
    await serve({ DATA_DIR, PORT: port }),
    new RegExp(`PORT is ${port}, which is in use on 127\\.0\\.0\\.1`),
  );
  expectStartFailure(
    await serve({ DATA_DIR, HOST: '192.0.2.1' }),
    /HOST is "192\.0\.2\.1", which is not an address of this machine/,
  );
});

it('rejects certificates that cannot be read, are invalid, or do not match their key', async (t) => {
  const directory = await temporaryDirectory(t);
  const own = async (name: string): Promise<string> => {
    const DATA_DIR = join(directory, name);
    const server = await ServerProcess.start(t, { DATA_DIR });
    await server.end('SIGTERM');
    return DATA_DIR;
  };
  const [one, other] = [await own('one'), await own('other')];
  const serveWith = (TLS_CERT_FILE: string, TLS_KEY_FILE: string): Promise<CommandResult> =>
    serve({ DATA_DIR: one, TLS_CERT_FILE, TLS_KEY_FILE });
  const [cert, key] = [join(one, 'tls-cert.pem'), join(one, 'tls-key.pem')];
  await writeFile(join(directory, 'text'), 'no certificate');
  expectStartFailure(
    await serveWith(join(directory, 'none'), key),
    /TLS_CERT_FILE is ".*none", which cannot be read/,
  );
  expectStartFailure(
    await serveWith(cert, join(directory, 'none')),
    /TLS_KEY_FILE is ".*none", which cannot be read/,
  );
  expectStartFailure(await serveWith(join(directory, 'text'), key), /are not a certificate and its key/);
  expectStartFailure(await serveWith(cert, join(other, 'tls-key.pem')), /are not a certificate and its key/);
});

it('on sqlite: only its owner can read its data and key, and it keeps its certificate across restarts', async (t) => {
  const DATA_DIR = join(await temporaryDirectory(t), 'a', 'data');
  const certificates: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    const server = await ServerProcess.start(t, { DATA_DIR });
    certificates.push(await readFile(join(DATA_DIR, 'tls-cert.pem'), 'utf8'));
    for (const file of await readdir(DATA_DIR)) {
      assert.equal((await stat(join(DATA_DIR, file))).mode & 0o077, 0, file);
    }
    assert.deepEqual(await server.end('SIGINT'), [0, null]);
  }
  assert.equal((await stat(DATA_DIR)).mode & 0o077, 0);
  assert.equal(certificates[0], certificates[1]);
});

it('services that start together in one directory serve the same stored certificate', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const servers = await Promise.all([1, 2, 3].map(() => ServerProcess.start(t, { DATA_DIR })));
  const ca = await readFile(join(DATA_DIR, 'tls-cert.pem'), 'utf8');
  for (const { baseUrl } of servers) {
    const client = new Client(baseUrl.origin, ca);
    assert.equal((await client.request('GET', '/v1/products.json')).status, 401);
    client.close();
  }
});

forEachEngine((engine) => {
  it('SIGTERM: completes requests in progress, refuses new connections, and exits with 0', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const created = await tradepost(['merchants', 'create', '--name', 'Acme', '--json'], environment);
    const form = new URLSearchParams({
      access_token: JSON.parse(created.stdout).access_token,
      name: 'Late',
      type: 'T',
    });
    const server = await ServerProcess.start(t, environment);
    const ca = await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8');
    const campaign = await startPost(new URL('/v1/campaigns.json', server.baseUrl), ca);
    server.signal('SIGTERM');
    await server.log.line('stopping');
    campaign.request.end(String(form));
    const response = await campaign.response;
    assert.equal(response.statusCode, 200);
    const [body] = await once(response, 'data');
    assert.equal(JSON.parse(String(body)).name, 'Late');
    await assert.rejects(server.client.request('GET', '/v1/products.json'), { code: 'ECONNREFUSED' });
    const respondedAt = performance.now();
    assert.deepEqual(await server.ended(), [0, null]);
    // The service did not wait the full ten seconds for unfinished requests.
    assert.ok(performance.now() - respondedAt < 9_000, 'idle connections do not delay the shutdown');
    assert.match((await tradepost(['export', 'campaigns'], environment)).stdout, /"name":"Late"/);
  });

  it('SIGTERM: cuts connections that never finish after ten seconds, and exits with 0', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    const server = await ServerProcess.start(t, environment);
    // Nothing, the start of a TLS handshake, and the start of an unencrypted request.
    for (const bytes of ['', '\x16\x03\x01', 'GET /v1/products.json HTTP/1.1\r\nA: ']) {
      const socket = connect({ host: '127.0.0.1', port: Number(server.baseUrl.port) });
      t.after(() => socket.destroy());
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(bytes);
    }
    // Its body never ends.
    const ca = await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8');
    const endless = await startPost(new URL('/v1/campaigns.json', server.baseUrl), ca);
    endless.request.write('name=');
    const outcome = endless.response.then(
      ({ statusCode }) => `status ${statusCode}`,
      () => 'cut',
    );
    assert.equal((await server.client.request('GET', '/v1/products.json')).status, 401);
    const began = performance.now();
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
    const elapsed = performance.now() - began;
    assert.ok(elapsed > 9_000 && elapsed < 30_000, `${elapsed} ms`);
    assert.match(await outcome, /^(cut|status 4..)$/);
  });
});

it('SIGTERM: completes responses that are being sent, even to clients that read slowly', async (t) => {
  const environment = { DATA_DIR: await temporaryDirectory(t) };
  const created = await tradepost(['merchants', 'create', '--name', 'Acme', '--json'], environment);
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    JSON.stringify({ identifier: `p-${index}`, description: 'd'.repeat(5_000) }),
  );
  const file = join(environment.DATA_DIR, 'products.ndjson');
  await writeFile(file, lines.join('\n'));
  const imported = await tradepost(['import', 'products', file, '--merchant', 'Acme'], environment);
  assert.equal(imported.status, 0, imported.stderr);
  const server = await ServerProcess.start(t, environment);
  const ca = await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8');
  const { access_token } = JSON.parse(created.stdout);
  // One of these sizes is just above the capacity of the buffers between client and server.
  const sizes = Array.from({ length: 20 }, (_, index) => 50 * (index + 1));
  const responses = await Promise.all(
    sizes.map(async (size) => {
      const path = `/v1/products.json?per_page=${size}&access_token=${access_token}`;
      const [response] = await once(
        request(new URL(path, server.baseUrl), { ca, agent: false }).end(),
        'response',
      );
      return response.pause();
    }),
  );
  server.signal('SIGTERM');
  await server.log.line('stopping');
  // The service closes idle connections a few times meanwhile.
  await pause(500);
  await Promise.all(
    responses.map(async (response) => {
      let bytes = 0;
      for await (const chunk of response) bytes += chunk.length;
      assert.equal(bytes, Number(response.headers['content-length']));
    }),
  );
  assert.deepEqual(await server.ended(), [0, null]);
});

it('continues to serve when a connection is reset after CONNECT, with TLS or behind a proxy', async (t) => {
  for (const TLS of ['own', 'proxy']) {
    const DATA_DIR = await temporaryDirectory(t);
    const server = await ServerProcess.start(t, { DATA_DIR, TLS, TRUST_PROXY: '127.0.0.1' });
    const socket = connect({ host: '127.0.0.1', port: Number(server.baseUrl.port) });
    socket.write('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await once(socket, 'close');
    await server.client.request('GET', '/v1/products.json');
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  }
});

it('serves and shuts down even if its log cannot be written', async (t) => {
  const full = await open('/dev/full', 'w');
  t.after(() => full.close());
  const PORT = String(await freePort());
  const environment = { ...process.env, DATA_DIR: await temporaryDirectory(t), PORT, METRICS_ADDRESS: 'off' };
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: environment,
    stdio: ['ignore', 'ignore', full.fd],
  });
  t.after(() => child.kill('SIGKILL'));
  await untilResponse(`https://127.0.0.1:${PORT}/openapi.json`);
  for (let time = 0; time < 50; time += 1)
    await untilResponse(`https://127.0.0.1:${PORT}/v1/products.json?access_token=none`);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

it('a second signal ends the service immediately with status 1, even with requests in progress', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const server = await ServerProcess.start(t, { DATA_DIR });
  const socket = connect({ host: '127.0.0.1', port: Number(server.baseUrl.port) });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  // The start of a TLS handshake.
  socket.write('\x16\x03\x01');
  assert.equal((await server.client.request('GET', '/v1/products.json')).status, 401);
  server.signal('SIGTERM');
  await server.log.line('stopping');
  const began = performance.now();
  assert.deepEqual(await server.end('SIGINT'), [1, null]);
  // The service did not wait the full ten seconds for the handshake.
  assert.ok(performance.now() - began < 9_000);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  type CertificatePair,
  createCertificate,
  servedCertificate,
  servedCommonName,
} from '../support/certificates.ts';
import { sqlite } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { workersOf } from '../support/workers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The operator's certificate is named `first`. */
async function start(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<{ server: ServerProcess; cert: string; key: string; first: CertificatePair }> {
  const DATA_DIR = await temporaryDirectory(t);
  const [cert, key] = [join(DATA_DIR, 'tls-cert.pem'), join(DATA_DIR, 'tls-key.pem')];
  const first = await createCertificate('first');
  await writeFile(cert, first.cert);
  await writeFile(key, first.key);
  const environment = { DATA_DIR, TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...settings };
  return { server: await ServerProcess.start(t, environment), cert, key, first };
}

async function untilServed(server: ServerProcess, name: string): Promise<void> {
  const isServed = async (): Promise<boolean> => (await servedCommonName(server.baseUrl)) === name;
  await until(isServed, { intervalMs: 50, message: `${name} is not served` });
}

/** `send` resolves to the name in the server's certificate, and whether the connection was reused. */
function persistentConnection(
  t: TestContext,
  { baseUrl }: ServerProcess,
): { send: () => Promise<[string, boolean]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  t.after(() => agent.destroy());
  const send = async (): Promise<[string, boolean]> => {
    const sent = request(new URL('/v1/products.json', baseUrl), { agent });
    sent.end();
    const [response] = await once(sent, 'response');
    assert.equal(response.statusCode, 401);
    const name = String(response.socket.getPeerCertificate().subject.CN);
    await once(response.resume(), 'end');
    return [name, sent.reusedSocket];
  };
  return { send };
}

// Concurrent, because most of these tests wait for the next check of the files.
describe('the certificate', { concurrency: true }, () => {
  it('is replaced when new files are renamed over the old ones, and open connections stay open', async (t) => {
    const { server, cert, key } = await start(t);
    const connection = persistentConnection(t, server);
    assert.deepEqual(await connection.send(), ['first', false]);
    const next = await createCertificate('second');
    // In between, the certificate and the key do not match.
    await writeFile(`${cert}.new`, next.cert);
    await rename(`${cert}.new`, cert);
    await server.log.line('certificate not replaced');
    assert.equal(await servedCommonName(server.baseUrl), 'first');
    await writeFile(`${key}.new`, next.key);
    await rename(`${key}.new`, key);
    await server.log.line('"certificate replaced"');
    assert.equal(await servedCommonName(server.baseUrl), 'second');
    assert.deepEqual(await connection.send(), ['first', true]);
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  });

  it('is replaced when a symbolic link changes to another directory, as with certbot and Kubernetes', async (t) => {
    const directory = await temporaryDirectory(t);
    for (const name of ['first', 'second']) {
      const pair = await createCertificate(name);
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, 'cert.pem'), pair.cert);
      await writeFile(join(directory, name, 'key.pem'), pair.key);
    }
    await symlink('first', join(directory, 'live'));
    const [TLS_CERT_FILE, TLS_KEY_FILE] = ['cert.pem', 'key.pem'].map((file) =>
      join(directory, 'live', file),
    );
    const { server } = await start(t, {
      TLS_CERT_FILE: TLS_CERT_FILE ?? '',
      TLS_KEY_FILE: TLS_KEY_FILE ?? '',
    });
    assert.equal(await servedCommonName(server.baseUrl), 'first');
    await symlink('second', join(directory, 'next'));
    await rename(join(directory, 'next'), join(directory, 'live'));
    await untilServed(server, 'second');
  });

  it('is kept if the new files are invalid, which is logged once, with a reason and without the key', async (t) => {
    const { server, cert, key, first } = await start(t);
    const next = await createCertificate('second');
    const broken: [() => Promise<void>, RegExp][] = [
      [() => writeFile(key, next.key), /key values mismatch/],
      [() => writeFile(cert, first.cert.slice(0, 200)), /are not a certificate and its key/],
      [() => rm(cert), /which cannot be read: ENOENT/],
    ];
    for (const [index, [breakIt, reason]] of broken.entries()) {
      await breakIt();
      server.signal('SIGHUP');
      const line = await server.log.line('certificate not replaced', { after: index });
      assert.match(JSON.parse(line).reason, reason);
      assert.equal(await servedCommonName(server.baseUrl), 'first');
      // The same files again are not logged a second time.
      server.signal('SIGHUP');
    }
    await writeFile(cert, next.cert);
    await untilServed(server, 'second');
    const text = server.log.lines.join('\n');
    assert.equal(text.match(/certificate not replaced/g)?.length, broken.length);
    for (const secret of [first.key, next.key]) {
      const body = secret.split('\n')[1] ?? '';
      assert.ok(body.length > 20 && !text.includes(body));
    }
  });

  it('is read again immediately on SIGHUP, in every worker', async (t) => {
    const { server, cert, key } = await start(t, { WORKERS: '2' });
    const next = await createCertificate('second');
    await writeFile(key, next.key);
    await writeFile(cert, next.cert);
    server.signal('SIGHUP');
    await server.log.line('"certificate replaced"', { after: 1 });
    for (let connection = 0; connection < 6; connection += 1) {
      assert.equal(await servedCommonName(server.baseUrl), 'second');
    }
    const replacements = server.log.lines.filter((line) => line.includes('"certificate replaced"'));
    assert.deepEqual(new Set(replacements.map((line) => JSON.parse(line).pid)), new Set(workersOf(server)));
  });

  it('does not exist behind a proxy, where SIGHUP changes nothing', async (t) => {
    const server = await ServerProcess.start(t, {
      DATA_DIR: await temporaryDirectory(t),
      TLS: 'proxy',
      TRUST_PROXY: '127.0.0.1',
    });
    server.signal('SIGHUP');
    const headers = { 'x-forwarded-proto': 'https' };
    assert.equal((await server.client.request('GET', '/v1/products.json', { headers })).status, 401);
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  });

  it('is renewed in its last thirty days if it is self-signed, without a restart', async () => {
    await using service = await startTestService(sqlite);
    const { serialNumber: before } = await servedCertificate(service.client.origin);
    service.passTime(790 * DAY_MS);
    await service.reloadCertificate();
    assert.equal((await servedCertificate(service.client.origin)).serialNumber, before);
    service.passTime(10 * DAY_MS);
    await service.reloadCertificate();
    const after = await servedCertificate(service.client.origin);
    assert.notEqual(after.serialNumber, before);
    assert.ok(Date.parse(after.valid_to) > service.now() + 800 * DAY_MS);
  });
});

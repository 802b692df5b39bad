import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  type CertificatePair,
  createCertificate,
  servedCertificate,
  servedCommonName,
} from '../support/certificates.ts';
import { sqlite } from '../support/engines.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { workersOf } from '../support/workers.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Files {
  settings: Record<string, string>;
  cert: string;
  key: string;
  first: CertificatePair;
}

/** The operator's certificate is named `first`. */
async function writeFiles(t: TestContext): Promise<Files> {
  const directory = await temporaryDirectory(t);
  const [cert, key] = [join(directory, 'tls-cert.pem'), join(directory, 'tls-key.pem')];
  const first = await createCertificate('first');
  await writeFile(cert, first.cert);
  await writeFile(key, first.key);
  return { settings: { TLS_CERT_FILE: cert, TLS_KEY_FILE: key }, cert, key, first };
}

async function untilLogged({ log }: TestService, text: string): Promise<void> {
  const isLogged = (): boolean => log.some((line) => line.includes(text));
  await until(isLogged, { message: `${text} is not logged` });
}

async function untilServed({ client }: TestService, name: string): Promise<void> {
  const isServed = async (): Promise<boolean> => (await servedCommonName(client.origin)) === name;
  await until(isServed, { intervalMs: 50, message: `${name} is not served` });
}

/** `send` resolves to the name in the server's certificate, and whether the connection was reused. */
function persistentConnection(t: TestContext, origin: URL): { send: () => Promise<[string, boolean]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  t.after(() => agent.destroy());
  const send = async (): Promise<[string, boolean]> => {
    const sent = request(new URL('/v1/products.json', origin), { agent });
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
    const { settings, cert, key } = await writeFiles(t);
    await using service = await startTestService(sqlite, { environment: settings });
    const { origin } = service.client;
    const connection = persistentConnection(t, origin);
    assert.deepEqual(await connection.send(), ['first', false]);
    const next = await createCertificate('second');
    // In between, the certificate and the key do not match.
    await writeFile(`${cert}.new`, next.cert);
    await rename(`${cert}.new`, cert);
    await untilLogged(service, 'certificate not replaced');
    assert.equal(await servedCommonName(origin), 'first');
    await writeFile(`${key}.new`, next.key);
    await rename(`${key}.new`, key);
    await untilLogged(service, '"certificate replaced"');
    assert.equal(await servedCommonName(origin), 'second');
    assert.deepEqual(await connection.send(), ['first', true]);
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
    const environment = {
      TLS_CERT_FILE: join(directory, 'live/cert.pem'),
      TLS_KEY_FILE: join(directory, 'live/key.pem'),
    };
    await using service = await startTestService(sqlite, { environment });
    assert.equal(await servedCommonName(service.client.origin), 'first');
    await symlink('second', join(directory, 'next'));
    await rename(join(directory, 'next'), join(directory, 'live'));
    await untilServed(service, 'second');
  });

  it('is kept if the new files are invalid, which is logged once, with a reason and without the key', async (t) => {
    const { settings, cert, key, first } = await writeFiles(t);
    await using service = await startTestService(sqlite, { environment: settings });
    const notReplaced = (): string[] =>
      service.log.filter((line) => line.includes('certificate not replaced'));
    const next = await createCertificate('second');
    const broken: [() => Promise<void>, RegExp][] = [
      [() => writeFile(key, next.key), /key values mismatch/],
      [() => writeFile(cert, first.cert.slice(0, 200)), /are not a certificate and its key/],
      [() => rm(cert), /which cannot be read: ENOENT/],
    ];
    for (const [index, [breakIt, reason]] of broken.entries()) {
      await breakIt();
      // It may have been reading the files already.
      await until(async () => {
        await service.reloadCertificate();
        return notReplaced().length > index;
      });
      assert.match(JSON.parse(notReplaced()[index] ?? '').reason, reason);
      assert.equal(await servedCommonName(service.client.origin), 'first');
      // The same files again are not logged a second time.
      await service.reloadCertificate();
    }
    await writeFile(cert, next.cert);
    await untilServed(service, 'second');
    assert.equal(notReplaced().length, broken.length);
    const text = service.log.join('\n');
    for (const secret of [first.key, next.key]) {
      const body = secret.split('\n')[1] ?? '';
      assert.ok(body.length > 20 && !text.includes(body));
    }
  });

  it('is read again immediately on SIGHUP, in every worker', async (t) => {
    const { settings, cert, key } = await writeFiles(t);
    const environment = { DATA_DIR: dirname(cert), WORKERS: '2', ...settings };
    const server = await ServerProcess.start(t, environment);
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
    // It may have been looking already.
    const after = await until(async () => {
      await service.reloadCertificate();
      const served = await servedCertificate(service.client.origin);
      return served.serialNumber !== before && served;
    });
    assert.ok(Date.parse(after.valid_to) > service.now() + 800 * DAY_MS);
  });
});

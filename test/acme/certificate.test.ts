import assert from 'node:assert/strict';
import type { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readAcmeState } from '../../src/acme/acme-store.ts';
import { findAccount, findCertificate, listAcmeKeyIds, listChallenges } from '../../src/acme/queries.ts';
import { examineRunning } from '../../src/doctor/examine-running.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { beginRotation } from '../../src/key-management/begin-rotation.ts';
import { finishRotation } from '../../src/key-management/finish-rotation.ts';
import { readCertificate } from '../../src/operator/system/read-certificate.ts';
import { servedCommonName } from '../support/certificates.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { freePort } from '../support/postgres/programs.ts';
import { ServerProcess } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { workersOf } from '../support/workers.ts';
import { type Pebble, preparePebble, skip } from './pebble.ts';
import { servedTo } from './served.ts';

const HOST = 'shop.example';
const MINUTE_MS = 60_000;

interface Setting {
  port: number;
  pebble: Pebble;
  /** Of the first service. */
  environment: Record<string, string> & { DATA_DIR: string };
  services: TestService[];
}

async function prepare(t: TestContext, engine: Engine): Promise<Setting> {
  const port = await freePort();
  const pebble = await preparePebble(t, port);
  const services: TestService[] = [];
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-acme-'));
  t.after(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await rm(directory, { recursive: true });
  });
  const environment = {
    ...(await engine.environment()),
    ...pebble.settings,
    DATA_DIR: directory,
    PORT: String(port),
    ACME_HOSTS: HOST,
  };
  return { port, pebble, environment, services };
}

async function start(
  { environment, services }: Setting,
  engine: Engine,
  others: Record<string, string> = {},
): Promise<TestService> {
  const service = await startTestService(engine, { environment: { ...environment, ...others } });
  services.push(service);
  return service;
}

const portOf = ({ baseUrl }: TestService): number => Number(new URL(baseUrl).port);

async function untilServed(port: number, { pebble }: Setting, other = ''): Promise<X509Certificate> {
  const root = await pebble.readRoot();
  return await until(
    async () => {
      const certificate = await servedTo(HOST, port, root);
      return certificate?.serialNumber === other ? null : certificate;
    },
    { timeoutMs: 90_000, intervalMs: 100, message: 'the authority’s certificate is not served' },
  );
}

async function certificateFindings(service: TestService): Promise<Finding[]> {
  const findings = await examineRunning(service.config, service);
  return findings.filter(({ check }) => check === 'certificate');
}

async function readFailure(service: TestService) {
  return (await readAcmeState(service.database)).failure;
}

function logged(service: TestService, message: string): string | undefined {
  return service.log.find((line) => line.includes(message));
}

forEachEngine((engine) => {
  describe('TLS=acme', { skip }, () => {
    it('gets a certificate that every node serves without a restart, and renews it', async (t) => {
      const setting = await prepare(t, engine);
      const { pebble, port, environment } = setting;
      const one = await start(setting, engine);
      const other = await start(setting, engine, { PORT: '0' });
      assert.equal(await servedCommonName(new URL(one.baseUrl)), 'Tradepost self-signed');
      assert.ok(logged(one, 'the self-signed one is served until it arrives'));
      pebble.hosts.add(HOST);
      await pebble.start();
      for (const service of [one, other]) {
        service.passTime(5 * MINUTE_MS);
        await service.reloadCertificate();
      }
      const first = await untilServed(port, setting);
      assert.equal((await untilServed(portOf(other), setting)).serialNumber, first.serialNumber);
      assert.equal(first.subjectAltName, `DNS:${HOST}`);
      assert.deepEqual(await one.database.all(listChallenges), []);

      // The key of the certificate and of the account are encrypted, and in no log.
      const row = await one.database.first(findCertificate);
      const account = await one.database.first(findAccount, { directory: environment.ACME_DIRECTORY ?? '' });
      for (const key of [row?.private_key, account?.private_key]) assert.match(key ?? '', /^enc:/);
      assert.doesNotMatch([...one.log, ...other.log].join('\n'), /PRIVATE KEY|enc:/);

      const shown = await readCertificate(one.config, one.database);
      assert.deepEqual([shown?.self_signed, shown?.names], [false, [`DNS:${HOST}`]]);
      assert.deepEqual(await certificateFindings(one), []);

      const keys = { database: one.database, file: one.config.encryptionKeyFile };
      const [next] = await beginRotation(keys, one.now());
      await finishRotation(keys);
      assert.deepEqual(
        (await one.database.all(listAcmeKeyIds)).map(({ id }) => id),
        [next],
      );

      for (const service of [one, other]) service.passTime(43 * MINUTE_MS);
      const second = await untilServed(port, setting, first.serialNumber);
      for (const service of [one, other]) service.passTime(-43 * MINUTE_MS);
      await untilServed(portOf(other), setting, first.serialNumber);
      assert.ok(Date.parse(second.validFrom) >= Date.parse(first.validFrom));
      const third = await start(setting, engine, { PORT: '0' });
      assert.notEqual(await servedTo(HOST, portOf(third), await pebble.readRoot()), null);
    });

    it('is served by every worker', async (t) => {
      const setting = await prepare(t, engine);
      const { pebble, port, environment } = setting;
      pebble.hosts.add(HOST);
      await pebble.start();
      const server = await ServerProcess.start(t, { ...environment, WORKERS: '2' });
      await untilServed(port, setting);
      await server.log.line('"certificate replaced"', { after: 1 });
      const replaced = server.log.lines.filter((line) => line.includes('"certificate replaced"'));
      assert.deepEqual(new Set(replaced.map((line) => JSON.parse(line).pid)), new Set(workersOf(server)));
      const root = await pebble.readRoot();
      for (let connection = 0; connection < 6; connection += 1)
        assert.notEqual(await servedTo(HOST, port, root), null);
      assert.deepEqual(await server.end('SIGTERM'), [0, null]);
    });

    it('tells why an authority cannot be reached, serves, and tries again', async (t) => {
      const setting = await prepare(t, engine);
      const service = await start(setting, engine);
      const failure = await until(() => readFailure(service));
      assert.match(failure.reason, /^127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
      assert.ok(failure.retry_at - service.now() >= MINUTE_MS);
      assert.ok(failure.retry_at - service.now() <= 1.25 * MINUTE_MS);
      assert.equal(await servedCommonName(new URL(service.baseUrl)), 'Tradepost self-signed');
      const [finding] = await certificateFindings(service);
      assert.equal(finding?.result, 'problem');
      assert.match(finding.message, /failed: 127\.0\.0\.1:\d+ cannot be reached/);
      assert.match(await until(() => logged(service, 'no new certificate')), /"failures":1,/);
      setting.pebble.hosts.add(HOST);
      await setting.pebble.start();
      service.passTime(2 * MINUTE_MS);
      await untilServed(setting.port, setting);
      assert.equal(await readFailure(service), null);
    });

    it('tells why an authority refuses a host, waits, and tries again after a reload', async (t) => {
      const setting = await prepare(t, engine);
      await setting.pebble.start();
      const service = await start(setting, engine);
      const failure = await until(() => readFailure(service), { timeoutMs: 90_000 });
      assert.match(failure.reason, /^the authority could not check shop\.example: /);
      assert.ok(failure.retry_at - service.now() >= 15 * MINUTE_MS);
      assert.deepEqual(await service.database.all(listChallenges), []);
      setting.pebble.hosts.add(HOST);
      await service.reloadCertificate();
      await untilServed(setting.port, setting);
    });
  });
});

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import { SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { openDatabaseReadOnly } from '../../src/database/open-database.ts';
import { statement } from '../../src/database/statement.ts';
import { INTERVAL_MS, KEPT_MS } from '../../src/nodes/intervals.ts';
import { NodeReporter } from '../../src/nodes/node-reporter.ts';
import { quantileOf } from '../../src/nodes/quantile.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { listOperatorAudit } from '../../src/operator/screen/list-operator-audit.ts';
import { type BackupFile, Backups } from '../../src/operator/system/backups.ts';
import type { System } from '../../src/operator/system/read-system.ts';
import type { SystemMetrics } from '../../src/operator/system/system-schema.ts';
import { tryFileLock } from '../../src/shared/file-lock.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const findMerchantRow = statement<{ id: number }, { id: number }>('SELECT id FROM merchants WHERE id = :id');
const CANARY = 'canary7f3a';

async function readSystem(service: TestService): Promise<System> {
  const token = await service.newOperatorToken(['system']);
  const response = await service.operator('GET', '/system', token);
  assert.equal(response.status, 200, response.text);
  return response.json<System>();
}

async function withBackupFolder(
  work: (service: TestService, directory: string, token: string) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-backups-'));
  try {
    await using service = await startTestService(sqlite, {
      environment: { BACKUP_TO: directory, BACKUP_EVERY: 'off' },
    });
    await work(service, directory, await service.newOperatorToken());
  } finally {
    await rm(directory, { recursive: true });
  }
}

forEachEngine((engine) => {
  const service = useService(engine);

  describe('GET /system', () => {
    it('shows the version, the processes, the migrations and the certificate', async () => {
      await until(async () => (await readSystem(service())).nodes.length === 1);
      const { version, nodes, database, certificate } = await readSystem(service());
      const [node] = nodes;
      assert.deepEqual(
        [node?.host, node?.pid, node?.version, node?.running],
        [hostname(), process.pid, version, true],
      );
      assert.equal(database.engine, service().config.postgres === null ? 'sqlite' : 'postgresql');
      assert.equal(database.schema_version, SCHEMA_VERSION);
      assert.equal(database.migrations.at(-1)?.version, SCHEMA_VERSION);
      assert.equal(certificate?.self_signed, true);
      assert.ok(certificate.names.includes('DNS:localhost'), certificate.names.join());
      assert.ok(Date.parse(certificate.valid_to) > service().now());
    });

    it('shows each setting with its source', async () => {
      const { settings } = await readSystem(service());
      const find = (name: string) => settings.find((setting) => setting.name === name);
      assert.deepEqual(find('PORT'), { name: 'PORT', value: '0', source: 'environment', is_secret: false });
      assert.deepEqual(find('WORKERS'), { name: 'WORKERS', value: '1', source: 'default', is_secret: false });
      assert.deepEqual(find('SMTP_URL'), {
        name: 'SMTP_URL',
        value: null,
        source: 'default',
        is_secret: false,
      });
      assert.equal(new Set(settings.map(({ name }) => name)).size, settings.length);
      if (service().config.postgres !== null)
        assert.match(find('DATABASE_URL')?.value ?? '', /^postgres(?:ql)?:\/\/(?!.*(?<!\*\*\*)@)/);
    });

    it('says how this database is backed up', async () => {
      const { backups } = await readSystem(service());
      assert.match(
        backups.unavailable ?? '',
        service().config.postgres === null ? /^Set BACKUP_TO/ : /pg_dump/,
      );
      const token = await service().newOperatorToken();
      const refused = await service().operator('POST', '/system/backup', token);
      assert.equal(refused.status, 409);
      assert.equal(refused.message, backups.unavailable);
    });
  });

  describe('GET /system/metrics', () => {
    const read = async (): Promise<SystemMetrics['nodes']> => {
      const token = await service().newOperatorToken(['system']);
      const response = await service().operator('GET', '/system/metrics', token);
      return response.json<SystemMetrics>().nodes;
    };

    it('has a point for each five minutes of each process, and none older than a day', async () => {
      const clock = { now: service().now() - KEPT_MS - INTERVAL_MS };
      clock.now -= clock.now % INTERVAL_MS;
      const metrics = new Metrics();
      const node = new NodeReporter({
        database: service().database,
        now: () => clock.now,
        metrics,
        onError: assert.fail,
      });
      await node.report();
      for (let interval = 0; interval <= KEPT_MS / INTERVAL_MS; interval += 1) {
        for (let request = 0; request < 100; request += 1)
          metrics.request('/v1/products', 'GET', request === 0 ? 503 : 200, request < 98 ? 0.002 : 0.2);
        clock.now += INTERVAL_MS;
        await node.report();
        // Only the first report of an interval has figures.
        if (interval === 0) await node.report();
      }
      const [found] = (await read()).filter(({ points }) => points.length > 0);
      assert.ok(found !== undefined && found.points.length >= 286 && found.points.length <= 288);
      const times = found.points.map(({ at }) => Date.parse(at));
      assert.deepEqual(
        times.slice(1).map((at, index) => at - (times[index] ?? 0)),
        times.slice(1).map(() => INTERVAL_MS),
      );
      for (const { requests, errors, p50_ms, p99_ms, memory_bytes } of found.points) {
        assert.deepEqual([requests, errors], [100, 1]);
        assert.ok(p50_ms !== null && p50_ms > 1 && p50_ms <= 2.5, String(p50_ms));
        assert.ok(p99_ms !== null && p99_ms > 100 && p99_ms <= 250, String(p99_ms));
        assert.ok(memory_bytes > 1_000_000);
      }
      // The reporter's clock is behind the service's by less than five minutes now.
      clock.now += 2 * KEPT_MS;
      await node.report();
      const [kept] = (await read()).filter(({ points }) => points.length > 0);
      assert.ok((kept?.points.length ?? 0) <= 1, 'old points are deleted');
    });

    it('keeps the figures of a process that cannot reach the database, each in its five minutes', async () => {
      const clock = { now: service().now() - INTERVAL_MS * 20 };
      clock.now -= clock.now % INTERVAL_MS;
      const first = clock.now;
      const metrics = new Metrics();
      let isAway = false;
      const database = new Proxy(service().database, {
        get: (target, name) => {
          if (isAway && name !== 'dialect') throw new Error('the database is away');
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const node = new NodeReporter({ database, now: () => clock.now, metrics, onError: assert.fail });
      await node.report();
      for (const requests of [1, 2, 3, 4]) {
        for (let request = 0; request < requests; request += 1) metrics.request('/v1', 'GET', 200, 0.002);
        clock.now += INTERVAL_MS;
        isAway = requests === 2 || requests === 3;
        if (isAway) await assert.rejects(node.report(), /away/);
        else await node.report();
      }
      const own = (await read()).find(({ points }) => points.length === 4);
      assert.deepEqual(
        own?.points.map(({ at, requests }) => [(Date.parse(at) - first) / INTERVAL_MS, requests]),
        [
          [0, 1],
          [1, 2],
          [2, 3],
          [3, 4],
        ],
      );
    });
  });
});

describe('GET /system', () => {
  it('shows no secret of any setting', async () => {
    await using service = await startTestService(sqlite, {
      environment: {
        SMTP_URL: `smtp://mailer:${CANARY}@127.0.0.1:2525`,
        MAIL_FROM: 'shop@shop.example',
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:${CANARY}@127.0.0.1:4318/traces?key=${CANARY}`,
        OTEL_SDK_DISABLED: 'true',
      },
    });
    const token = await service.newOperatorToken(['system']);
    const { text } = await service.operator('GET', '/system', token);
    assert.ok(text.includes('"smtp://***@127.0.0.1:2525"'), text);
    assert.ok(text.includes('"http://***@127.0.0.1:4318/traces?key=***"'), text);
    assert.ok(!text.includes(CANARY));
  });

  it('says of a secret only that it is set', () => {
    for (const prefix of ['OIDC_', 'MERCHANT_OIDC_']) {
      const provider = { [`${prefix}ISSUER`]: 'https://login.example', [`${prefix}CLIENT_ID`]: 'shop' };
      const secret = `${prefix}CLIENT_SECRET`;
      const { settings } = parseConfig({ ...provider, [secret]: CANARY });
      const found = settings.find(({ name }) => name === secret);
      assert.deepEqual(found, { name: secret, value: null, source: 'environment', is_secret: true });
      assert.ok(!JSON.stringify(settings).includes(CANARY));
    }
  });

  it('shows no secret of a setting, whichever has one', () => {
    const { settings: all } = parseConfig({});
    for (const { name, is_secret } of all) {
      const values = is_secret
        ? [CANARY]
        : [`postgres://u:${CANARY}@h/d?sslcert=${CANARY}`, `smtps://u:a@${CANARY}@h`];
      for (const value of values) {
        let shown = '';
        try {
          shown = JSON.stringify(parseConfig({ [name]: value, MAIL_FROM: 'a@b.example' }).settings);
        } catch {
          // Not a value of this setting.
        }
        assert.ok(!shown.includes(CANARY), `${name} ${shown}`);
      }
    }
  });
});

describe('POST /system/backup', () => {
  it('201: writes a checked copy into the folder of BACKUP_TO, and lists and audits it', async () => {
    await withBackupFolder(async (service, directory, token) => {
      const merchant = await service.newMerchant();
      const created = await service.operator('POST', '/system/backup', token);
      assert.equal(created.status, 201, created.text);
      const { file, bytes } = created.json<BackupFile>();
      assert.deepEqual(await readdir(directory), [file]);
      const stats = await stat(join(directory, file));
      assert.deepEqual([stats.size, stats.mode & 0o077], [bytes, 0]);
      const { backups } = await readSystem(service);
      assert.deepEqual(
        [backups.to, backups.running, backups.unavailable, backups.files.map((each) => each.file)],
        [directory, false, null, [file]],
      );
      const { entries } = await listOperatorAudit(service.database, { limit: 10 });
      assert.ok(entries.some(({ action, subject }) => action === 'backup.created' && subject === file));
      const copied = join(directory, 'restored');
      await mkdir(copied);
      await rename(join(directory, file), join(copied, 'tradepost.db'));
      const restored = await openDatabaseReadOnly({ ...service.config, dataDirectory: copied });
      const found = await restored?.snapshot((reader) => reader.first(findMerchantRow, { id: merchant.id }));
      await restored?.close();
      assert.equal(found?.id, merchant.id);
    });
  });

  it('the place of backups is listed again after each of them and after a minute, not at each call', async () => {
    await withBackupFolder(async (service, directory, token) => {
      const { config, database } = service;
      let now = service.now();
      const backups = new Backups({
        ...{ config, database, now: () => now },
        stopping: new AbortController().signal,
      });
      const list = async (): Promise<string[]> => (await backups.read()).files.map(({ file }) => file);
      assert.deepEqual(await list(), []);
      const { file } = (await service.operator('POST', '/system/backup', token)).json<BackupFile>();
      assert.deepEqual(await list(), [file]);
      await rm(join(directory, file));
      assert.deepEqual(await list(), [file]);
      now += 60_000;
      assert.deepEqual(await list(), []);
    });
  });

  it('409: while another one is written, which GET /system shows', async () => {
    await withBackupFolder(async (service, directory, token) => {
      await tryFileLock(
        join(service.config.dataDirectory, 'backup.lock'),
        async () => {
          const refused = await service.operator('POST', '/system/backup', token);
          expectError(refused, 409, /^Another backup is in progress/);
          assert.equal(refused.header('tradepost-error'), 'backup_in_progress');
          assert.equal((await readSystem(service)).backups.running, true);
        },
        { waitMs: 0 },
      );
      assert.equal((await readSystem(service)).backups.running, false);
      assert.deepEqual(await readdir(directory).catch(() => []), []);
      const both = await Promise.all([
        service.operator('POST', '/system/backup', token),
        service.operator('POST', '/system/backup', token),
      ]);
      assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    });
  });

  it('409: takes no path from the request, and says why it failed', async () => {
    await withBackupFolder(async (service, directory, token) => {
      const json = { file: '/tmp/elsewhere.db' };
      assert.equal((await service.operator('POST', '/system/backup', token, { json })).status, 400);
      await rm(directory, { recursive: true });
      await writeFile(directory, 'not a folder');
      const failed = await service.operator('POST', '/system/backup', token);
      expectError(failed, 409, /^There is no new backup: /);
      assert.equal(failed.header('tradepost-error'), 'backup_failed');
      assert.match((await readSystem(service)).backups.unavailable ?? '', /BACKUP_TO cannot be read/);
    });
  });
});

describe('an estimated quantile', () => {
  it('is within the bucket that has it', () => {
    const durations = new Map([
      [0.001, 50],
      [0.01, 90],
      [0.1, 100],
    ]);
    assert.equal(quantileOf(durations, 0, 0.5), null);
    assert.equal(quantileOf(durations, 100, 0.5), 0.001);
    assert.ok(Math.abs((quantileOf(durations, 100, 0.7) ?? 0) - 0.0055) < 1e-9);
    assert.equal(quantileOf(durations, 200, 0.99), 0.1);
  });
});

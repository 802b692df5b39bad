import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import { processHealth } from '../../src/observability/health.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { serveHealth } from '../../src/observability/serve-health.ts';
import { signedIn } from '../support/console.ts';
import { importFile, productLines } from '../support/console-imports.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectStartFailure } from '../support/expect.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { fetchHealth, parseSamples, startHealthServer } from '../support/health.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { startTestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { killAll, workersOf } from '../support/workers.ts';

const dashboard = join(import.meta.dirname, '../../deploy/grafana/tradepost.json');

forEachEngine((engine) => {
  describe('the operator endpoints', () => {
    const failing = new FailingDatabase();
    const service = useService(engine, {
      environment: { RATE_LIMIT: '60', AUTH_FAILURE_LIMIT: '5' },
      wrap: (database) => failing.wrap(database),
    });

    it('reports that the service is alive and ready', async (t) => {
      const get = await startHealthServer(t, service().health);
      assert.deepEqual([(await get('/healthz')).status, (await get('/readyz')).status], [200, 200]);
      assert.equal((await get('/')).status, 404);
    });

    it('503: reports not ready while the database is unavailable, and ready again after that', async (t) => {
      const get = await startHealthServer(t, service().health);
      failing.failure = new DatabaseUnavailable('connection refused');
      const { status, text } = await get('/readyz');
      failing.failure = undefined;
      assert.equal(status, 503);
      assert.match(text, /^The database cannot be used: connection refused/);
      assert.equal((await get('/healthz')).status, 200);
      assert.equal((await get('/readyz')).status, 200);
    });

    it('503: reports not ready if the schema version differs from this program’s', async (t) => {
      const old = await startTestService(engine);
      t.after(() => old.close());
      const get = await startHealthServer(t, old.health);
      await old.database.transaction((connection) =>
        connection.run(statement<unknown, never>('DELETE FROM tradepost_migrations')),
      );
      const { status, text } = await get('/readyz');
      assert.equal(status, 503);
      assert.match(text, /schema version 0/);
    });

    it('counts requests by route and status, and their outcomes', async (t) => {
      const get = await startHealthServer(t, service().health);
      const merchant = await service().newMerchant();
      const list = () => service().get('/products.json', merchant);
      const before = parseSamples((await get('/metrics')).text);
      for (let time = 0; time < 5; time += 1) assert.equal((await list()).status, 200);
      for (let time = 0; time < 60; time += 1) await service().get('/performance/sales', merchant);
      for (let time = 0; time < 7; time += 1) await service().get('/products.json', { token: 'guess' });
      await service().request('GET', '/nowhere');
      await service().request('BREW', '/products.json');
      const { text, type } = await get('/metrics');
      assert.match(type ?? '', /^text\/plain; version=0\.0\.4/);
      const after = parseSamples(text);
      const counted = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
      const requests = (route: string, status: number, method = 'GET'): number =>
        counted(`tradepost_requests_total{route="${route}",method="${method}",status="${status}"}`);
      assert.equal(requests('/v1/products.json', 200), 5);
      assert.equal(requests('/v1/performance/sales', 200), 55);
      assert.equal(requests('/v1/performance/sales', 429), 5);
      assert.equal(requests('/v1/products.json', 401), 5);
      assert.equal(requests('/v1/products.json', 429), 2);
      assert.equal(requests('(none)', 404), 1);
      assert.equal(requests('(none)', 405, 'other') + requests('(none)', 400, 'other'), 0);
      assert.equal(counted('tradepost_request_duration_seconds_count{route="/v1/products.json"}'), 12);
      assert.equal(counted('tradepost_rate_limited_total{limit="key"}'), 5);
      assert.equal(counted('tradepost_rate_limited_total{limit="failed-authentication"}'), 2);
      assert.equal(counted('tradepost_pages_total{found="false"}'), 2);
      assert.ok(counted('tradepost_cached_responses_total') > 0);
      assert.ok(counted('tradepost_database_duration_seconds_count{kind="read"}') > 0);
      for (const word of [merchant.token, merchant.keyId, 'guess']) assert.ok(!text.includes(word), word);
    });
  });
});

it('counts uploads in the console, and the outcomes of their rows', async (t) => {
  const service = await startTestService(sqlite);
  t.after(() => service.close());
  const get = await startHealthServer(t, service.health);
  const client = await signedIn(service, await service.newMerchant());
  await importFile(client, 'pots.ndjson', productLines(7));
  // The rows are counted when the import's process ends, which is after the console shows them.
  await until(async () => {
    const samples = parseSamples((await get('/metrics')).text);
    assert.equal(samples.get('tradepost_imports_total'), 1);
    return samples.get('tradepost_import_rows_total{outcome="created"}') === 7;
  });
});

it('exports every metric that the dashboard uses', async (t) => {
  const environment = { SMTP_URL: 'smtp://127.0.0.1:1?tls=off', MAIL_FROM: 'shop@example.com' };
  const service = await startTestService(sqlite, { environment });
  t.after(() => service.close());
  const metrics = new Metrics().withProcessMetrics();
  const health = {
    ...service.health,
    metrics: async () => [...(await service.health.metrics()), await metrics.figures()],
  };
  const { text } = await (await startHealthServer(t, health))('/metrics');
  const exported = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const used = [...(await readFile(dashboard, 'utf8')).matchAll(/\b((?:tradepost|process|nodejs)_\w+)/g)];
  const names = new Set(used.map(([name]) => name.replace(/_(bucket|count|sum)$/, '')));
  assert.ok(names.size > 15);
  assert.deepEqual(
    [...names].filter((name) => !exported.has(name)),
    [],
  );
});

it('503: reports not ready during shutdown', async () => {
  const service = await startTestService(sqlite);
  const health = processHealth(service.database, new Metrics(), () => true);
  assert.equal(await health.unreadyReason(), 'The service is shutting down.');
  await service.close();
});

describe('tradepost serve', () => {
  const startServer = async (t: Parameters<typeof temporaryDirectory>[0], more: Record<string, string>) => {
    const DATA_DIR = await temporaryDirectory(t);
    const server = await ServerProcess.start(t, { DATA_DIR, ...more });
    return { server, serving: JSON.parse(await server.log.line('"msg":"serving"')) };
  };

  it('reports its health, and metrics of the process', async (t) => {
    const { serving } = await startServer(t, { METRICS_ADDRESS: '127.0.0.1:0' });
    assert.equal((await fetchHealth(`${serving.metrics}/readyz`)).status, 200);
    const samples = parseSamples((await fetchHealth(`${serving.metrics}/metrics`)).text);
    assert.ok((samples.get('process_resident_memory_bytes') ?? 0) > 1e7);
  });

  it('is found alive by `tradepost health` until it ends', async (t) => {
    const { server, serving } = await startServer(t, { METRICS_ADDRESS: '127.0.0.1:0' });
    const environment = { METRICS_ADDRESS: new URL(serving.metrics).host };
    assert.deepEqual(await tradepost(['health'], environment), {
      status: 0,
      stdout: 'The service responds.\n',
      stderr: '',
    });
    await server.end('SIGTERM');
    const { status, stderr } = await tradepost(['health'], environment);
    assert.deepEqual(
      [status, stderr],
      [1, `tradepost: No Tradepost responds at ${environment.METRICS_ADDRESS} (METRICS_ADDRESS).\n`],
    );
    assert.match((await tradepost(['health'], { METRICS_ADDRESS: 'off' })).stderr, /METRICS_ADDRESS is off/);
  });

  it('reports the sum of the counts of all workers, including ended ones', async (t) => {
    const { server, serving } = await startServer(t, { METRICS_ADDRESS: '127.0.0.1:0', WORKERS: '2' });
    const requests = Array.from({ length: 20 }, () =>
      server.client.request('GET', '/v1/nowhere', { headers: { connection: 'close' } }),
    );
    await Promise.all(requests);
    const name = 'tradepost_requests_total{route="(none)",method="GET",status="404"}';
    const counted = async (): Promise<number> =>
      parseSamples((await fetchHealth(`${serving.metrics}/metrics`)).text).get(name) ?? 0;
    // A request is counted when its whole response has been written to the connection.
    await until(async () => {
      const count = await counted();
      assert.ok(count <= 20, String(count));
      return count === 20;
    });
    for (const worker of workersOf(server)) process.kill(worker, 'SIGKILL');
    await until(() => workersOf(server).length === 4);
    assert.equal(await counted(), 20, 'the counts of ended workers were lost');
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  });

  it('503: with workers, reports not ready only while none of them responds', async (t) => {
    const { server, serving } = await startServer(t, { METRICS_ADDRESS: '127.0.0.1:0', WORKERS: '2' });
    const ready = (): ReturnType<typeof fetchHealth> => fetchHealth(`${serving.metrics}/readyz`);
    assert.equal((await ready()).status, 200);
    const [first = 0, second = 0] = workersOf(server);
    // A stopped process does not notice that its primary process has ended.
    t.after(() => killAll([first, second]));
    process.kill(first, 'SIGSTOP');
    assert.equal((await ready()).status, 200);
    process.kill(second, 'SIGSTOP');
    const { status, text } = await ready();
    assert.deepEqual([status, text.trim()], [503, 'No worker process is serving.']);
    // A stopped process that is killed ends, and another takes its place.
    process.kill(first, 'SIGKILL');
    await until(async () => (await ready()).status === 200);
  });

  it('continues without metrics if another program uses the default address', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const address = other.address();
    assert(typeof address === 'object' && address !== null);
    const warned: unknown[] = [];
    const logger = { warn: (line: unknown) => void warned.push(line), error: () => {} };
    const health = { unreadyReason: async () => null, metrics: async () => [] };
    const place = { host: '127.0.0.1', port: address.port, isDefault: true };
    assert.equal((await serveHealth({ metrics: place }, health, logger)).url, null);
    assert.match(String(warned), /another program uses it; continuing without metrics/);
  });

  it('does not start if another program uses the configured address', async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const address = other.address();
    assert(typeof address === 'object' && address !== null);
    const DATA_DIR = await temporaryDirectory(t);
    for (const WORKERS of ['1', '2']) {
      const METRICS_ADDRESS = `127.0.0.1:${address.port}`;
      const result = await tradepost(['serve'], {
        DATA_DIR,
        PORT: '0',
        METRICS_ADDRESS,
        WORKERS,
        LOG_LEVEL: 'error',
      });
      expectStartFailure(result, /METRICS_ADDRESS is 127\.0\.0\.1:\d+, .*another program uses it/);
    }
  });
});

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { findBudgetUse } from '../../src/budgets/queries.ts';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { csvLine } from '../../src/files/write-csv.ts';
import { ImportFiles } from '../../src/imports/import-files.ts';
import { ImportJobs } from '../../src/imports/import-jobs.ts';
import { findImport, insertImport } from '../../src/imports/queries.ts';
import type { Job } from '../../src/imports/run-job.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import {
  checkFile,
  IMPORT_TIMEOUT_MS,
  importFile,
  productLines,
  sendFile,
  untilState,
} from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MANY_ROWS = productLines(200_000);
const WAITING = { timeoutMs: IMPORT_TIMEOUT_MS };

/** Signs in as users of several merchants. Call it before any import, because it moves the clock. */
async function newClients(service: TestService, count: number): Promise<ConsoleClient[]> {
  const clients: ConsoleClient[] = [];
  for (let index = 0; index < count; index += 1) {
    service.passTime(60_000);
    clients.push(await signedIn(service, await service.newMerchant()));
  }
  return clients;
}

async function send(client: ConsoleClient, body: string | Buffer): Promise<string> {
  const response = await sendFile(client, 'pots', body);
  assert.equal(response.status, 200, response.text);
  return response.json<ConsoleImport>().id;
}

const read = async (client: ConsoleClient, id: string): Promise<ConsoleImport> =>
  (await client.get(`/imports/${id}`)).json<ConsoleImport>();

async function importProcesses(): Promise<number[]> {
  const found: number[] = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const [command, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const isOurs = new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(status ?? '');
    if (isOurs && command?.includes('import-process')) found.push(Number(name));
  }
  return found;
}

forEachEngine((engine) => {
  it('checks and imports small files while a large one of another merchant is in progress', async () => {
    await using service = await startTestService(engine);
    const [large, ...small] = (await newClients(service, 5)) as [ConsoleClient, ...ConsoleClient[]];
    const id = await send(large, MANY_ROWS);
    await until(async () => (await read(large, id)).progress > 0, WAITING);
    await Promise.all(small.map((client) => importFile(client, 'pot', productLines(1))));
    const { state, progress } = await read(large, id);
    assert.equal(state, 'checking');
    assert.ok(progress < 1);
    await until(async () => (await read(large, id)).progress > progress, WAITING);
    assert.equal((await large.request('DELETE', `/imports/${id}`)).status, 200);
    assert.equal((await importProcesses()).length, 1);
  });

  it('reads in a few seconds HTML that once took a minute, and others do not wait for it', async () => {
    await using service = await startTestService(engine);
    service.passTime(60_000);
    const merchant = await service.newMerchant();
    const client = await signedIn(service, merchant);
    const [other] = (await newClients(service, 1)) as [ConsoleClient];
    const html = '<x>'.repeat(50_000) + '</u>'.repeat(37_500);
    const rows = Array.from({ length: 8 }, (_, index) => csvLine([`pot-${index}`, 'Pot', html]));
    const file = gzipSync(csvLine(['Handle', 'Title', 'Body (HTML)']) + rows.join(''));
    const id = await send(client, file);
    await checkFile(other, 'pot', productLines(1));
    const { summary } = await untilState(client, id, 'checked');
    assert.equal(summary?.created, 8);
    const use = {
      merchantId: merchant.id,
      budget: 'import_cpu_seconds_per_day',
      day: Math.floor(service.now() / 86_400_000),
    };
    const { used = 0 } = (await service.database.first(findBudgetUse, use)) ?? {};
    assert.ok(used >= 1 && used <= 6, `${used} s of CPU`);
  });

  it('fails only the current file when the import process dies, and reads the others again', async () => {
    await using service = await startTestService(engine);
    const clients = (await newClients(service, 2)) as [ConsoleClient, ConsoleClient];
    const ids = [await send(clients[0], productLines(10_000)), await send(clients[1], productLines(10_000))];
    const imports = () => Promise.all(clients.map((client, index) => read(client, ids[index] ?? '')));
    await until(async () => (await imports()).every(({ progress }) => progress > 0), WAITING);
    const [pid] = await importProcesses();
    assert.ok(pid !== undefined);
    process.kill(pid, 'SIGKILL');
    await until(async () => (await imports()).every(({ state }) => state !== 'checking'), WAITING);
    const ended = Object.groupBy(await imports(), ({ state }) => state);
    assert.deepEqual([ended.failed?.length, ended.checked?.length], [1, 1]);
    assert.equal(ended.checked?.[0]?.summary?.created, 10_000);
    assert.match(ended.failed?.[0]?.failure ?? '', /^Reading the file was interrupted/);
  });

  it('kills an import process that is stuck, reports why, and continues with the next file', async () => {
    await using service = await startTestService(engine);
    const merchant = await service.newMerchant();
    const { database, config, now } = service;
    const files = new ImportFiles(config);
    const jobs = new ImportJobs({
      database,
      files,
      now,
      settings: config,
      budgets: config.budgets,
      logger: pino({ level: 'silent' }),
      metrics: new Metrics(),
      stuckAfterMs: 1_500,
    });
    const start = async (number: number, text: string): Promise<() => Promise<string | undefined>> => {
      const key = { merchantId: merchant.id, id: `01a1fe4d-7ee8-7b5f-8ec9-1415d7de7fe${number}` };
      const job: Job = {
        ...key,
        state: 'checking',
        who: SERVICE,
        name: 'pots',
        path: files.pathOf(key),
        lowInventory: 5,
        maxCategories: null,
        onlyListedCategories: false,
        moderationQueue: false,
        maximumUnpackedBytes: 1e9,
      };
      await writeFile(job.path, text);
      const state = {
        name: 'pots',
        bytes: text.length,
        state: 'checking',
        dryRun: 1,
        isBulk: 0,
        reading: null,
        createdBy: '',
      } as const;
      const values = { ...key, ...state, now: now() };
      await database.transaction((connection) => connection.run(insertImport, values));
      jobs.start(job);
      return async () => {
        const row = await database.first(findImport, key);
        return row?.failure ?? row?.state;
      };
    };
    try {
      const stuck = await start(1, MANY_ROWS);
      await until(async () => jobs.running === 1, WAITING);
      assert.deepEqual([jobs.running, jobs.waiting], [1, 0]);
      const [pid] = await importProcesses();
      assert.ok(pid !== undefined);
      process.kill(pid, 'SIGSTOP');
      await until(async () => (await stuck()) !== 'checking', WAITING);
      assert.match((await stuck()) ?? '', /one row took more than a minute/);
      const next = await start(2, productLines(1));
      await until(async () => (await next()) === 'checked', WAITING);
    } finally {
      await jobs.close();
    }
  });
});

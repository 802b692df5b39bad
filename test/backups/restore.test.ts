import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { SCHEMA_VERSION } from '../../src/database/migrate.ts';
import { runCommand } from '../commands/run-command.ts';
import type { Client } from '../support/client.ts';
import { sqlite } from '../support/engines.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { newMerchant } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { BucketServer } from './bucket-server.ts';

const BACKUP_KEY = 'a key for these tests';

interface Report {
  file: string;
  at: string;
  replaced: string | null;
  from: string;
  schema_version: number;
}

type Environment = Record<string, string> & { DATA_DIR: string };

async function run(environment: Environment, ...words: string[]): Promise<Report> {
  const { status, stdout, stderr } = await runCommand([...words, '--json'], environment);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

async function refusal(environment: Environment, ...words: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCommand(words, environment);
  assert.equal(status, 1, stdout);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  return stderr;
}

const backupsIn = async (directory: string): Promise<string[]> => (await readdir(directory)).sort();

async function prepare(t: TestContext, settings: Record<string, string> = {}) {
  const directory = await temporaryDirectory(t);
  const environment: Environment = {
    DATA_DIR: join(directory, 'data'),
    BACKUP_TO: join(directory, 'backups'),
    BACKUP_EVERY: 'off',
    ...settings,
  };
  const merchant = await newMerchant(environment);
  return { directory, environment, merchant, folder: join(directory, 'backups') };
}

const PATHS = ['products.json', 'products/p1.json', 'campaigns.json', 'performance/ads.json'];

/** Resolves to the bytes of several responses. */
async function readAll(client: Client, token: string): Promise<string[]> {
  const responses = PATHS.map((path) => client.request('GET', `/v1/${path}?access_token=${token}`));
  return (await Promise.all(responses)).map(({ status, text }) => `${status} ${text}`);
}

/** What a service on this data directory responds, which then stops. */
async function readStored(environment: Environment, token: string): Promise<string[]> {
  const service = await startTestService(sqlite, { environment });
  try {
    return await readAll(service.client, token);
  } finally {
    await service.stop();
  }
}

for (const kind of ['directory', 'bucket'] as const) {
  it(`drill with a ${kind}: what was backed up comes back byte for byte, what came later is gone`, async (t) => {
    await using bucket = await BucketServer.start();
    const settings = kind === 'bucket' ? { ...bucket.environment, BACKUP_KEY } : {};
    const { directory, environment, merchant } = await prepare(t, settings);
    const { token } = merchant;
    const importProducts = async (title: string): Promise<void> => {
      const file = join(directory, 'products.ndjson');
      const rows = [1, 2, 3].map((id) => JSON.stringify({ identifier: `p${id}`, title: `${title} ${id}` }));
      await writeFile(file, rows.join('\n'));
      const imported = await runCommand(['import', 'products', file, '--merchant', 'Acme'], environment);
      assert.equal(imported.status, 0, imported.stderr);
    };
    await importProducts('Vase');
    const server = await ServerProcess.start(t, environment);
    const before = await readAll(server.client, token);
    assert.match(before[0] ?? '', /^200 .*Vase 1/);
    const made = await run(environment, 'backup');
    await importProducts('Bowl');
    const changed = await readAll(server.client, token);
    assert.match(changed[0] ?? '', /Bowl 1/);
    const from = environment.BACKUP_TO ?? '';
    assert.match(
      await refusal(environment, 'restore', from),
      /A process uses the database .*: stop the service/,
    );
    await server.end('SIGTERM');

    const restored = await run(environment, 'restore', from);
    assert.deepEqual([restored.at, restored.schema_version], [made.at, SCHEMA_VERSION]);
    assert.ok(restored.from.endsWith(made.file), restored.from);
    assert.deepEqual(await readStored(environment, token), before);

    // The replaced database is complete, and can be put back.
    const back = await run(environment, 'restore', restored.replaced ?? assert.fail());
    assert.notEqual(back.replaced, null);
    assert.deepEqual(await readStored(environment, token), changed);
    const left = await readdir(environment.DATA_DIR);
    assert.deepEqual(
      left.filter((name) => /^\.(restore|backup)/.test(name)),
      [],
    );
    for (const name of left.filter((each) => each.startsWith('tradepost.db')))
      assert.equal((await stat(join(environment.DATA_DIR, name))).mode & 0o077, 0);
  });
}

it('--at picks the newest backup at or before a time', async (t) => {
  const { environment, folder } = await prepare(t);
  const { file } = await run(environment, 'backup');
  const [, rest = ''] = /Z(-[\da-f]{32}\.db)$/.exec(file) ?? [];
  const days = ['01', '02', '03'];
  for (const day of days)
    await copyFile(join(folder, file), join(folder, `tradepost-2026-01-${day}T12-00-00Z${rest}`));
  await rm(join(folder, file));
  const cases: [at: string, day: string][] = [
    ['2026-01-02T12:00:00Z', '02'],
    ['2026-01-02T13:00:00+01:00', '02'],
    ['2026-01-02T11:59:59Z', '01'],
    ['2030-01-01T00:00Z', '03'],
  ];
  for (const [at, day] of cases) {
    const { at: found, replaced } = await run(environment, 'restore', folder, '--at', at);
    assert.equal(found, `2026-01-${day}T12:00:00Z`);
    await rm(replaced ?? assert.fail());
  }
  assert.match(
    await refusal(environment, 'restore', folder, '--at', '2025-12-31T00:00:00Z'),
    /There is no backup of that time in .*: the oldest is of 2026-01-01T12:00:00Z/,
  );
  for (const at of ['2026-01-02', 'yesterday', '2026-01-02T12:00:00'])
    assert.match(
      await refusal(environment, 'restore', folder, '--at', at),
      /--at is ".*": expected a time with its zone/,
    );
  const one = join(folder, `tradepost-2026-01-01T12-00-00Z${rest}`);
  assert.match(
    await refusal(environment, 'restore', one, '--at', '2026-01-02T12:00:00Z'),
    /--at needs a directory/,
  );
});

it('a backup that cannot be used replaces nothing, and the message says why', async (t) => {
  const { directory, environment, folder } = await prepare(t, { BACKUP_KEY });
  const database = join(environment.DATA_DIR, 'tradepost.db');
  const { file } = await run(environment, 'backup');
  const plain = join(directory, 'plain.db');
  assert.equal((await runCommand(['backup', plain], environment)).status, 0);
  // Looking whether the database is in use takes it out of write-ahead mode.
  await refusal({ ...environment, BACKUP_KEY: '' }, 'restore', folder);
  const original = await readFile(database);
  const change = async (name: string, work: (path: string) => void | Promise<void>): Promise<string> => {
    const path = join(directory, name);
    await copyFile(plain, path);
    await work(path);
    return path;
  };
  const sql = (statement: string) => (path: string) => {
    const changed = new DatabaseSync(path);
    changed.exec(statement);
    changed.close();
  };
  const cut = join(folder, file);
  const cases: [from: string, message: RegExp, settings?: Record<string, string>][] = [
    [folder, /BACKUP_KEY is not the key/, { BACKUP_KEY: `${BACKUP_KEY}.` }],
    [folder, /it is encrypted, and BACKUP_KEY is not set/, { BACKUP_KEY: '' }],
    [join(directory, 'none'), /does not exist/],
    [environment.DATA_DIR, /There is no backup in .* that Tradepost named/],
    [
      await change(
        'newer.db',
        sql(`INSERT INTO tradepost_migrations VALUES (${SCHEMA_VERSION + 1}, 0, ${SCHEMA_VERSION + 1})`),
      ),
      /newer/,
    ],
    [await change('other.db', sql('DROP TABLE tradepost_migrations')), /database/],
    [await change('text.db', (path) => writeFile(path, 'no database')), /cannot be read|not a database/],
    [await change('empty.db', (path) => writeFile(path, '')), /is not one of Tradepost/],
    [await change('cut.db', (path) => truncate(path, 300_000)), /corrupt|cannot be read|malformed/],
  ];
  for (const [from, message, settings] of cases) {
    assert.match(await refusal({ ...environment, ...settings }, 'restore', from), message);
    assert.ok(original.equals(await readFile(database)), String(message));
  }
  await truncate(cut, 100_000);
  assert.match(await refusal(environment, 'restore', folder), /cut off or changed\. Nothing was replaced/);
  assert.deepEqual(
    (await readdir(environment.DATA_DIR)).filter((name) => /replaced|restore/.test(name)),
    [],
  );
});

it('restores on a new machine, and instead of a corrupt database', async (t) => {
  const { directory, environment, folder } = await prepare(t);
  await run(environment, 'backup');
  const fresh = { ...environment, DATA_DIR: join(directory, 'fresh', 'data') };
  assert.equal((await run(fresh, 'restore', folder)).replaced, null);
  assert.equal((await stat(fresh.DATA_DIR)).mode & 0o777, 0o700);
  const database = join(environment.DATA_DIR, 'tradepost.db');
  await writeFile(database, 'what a broken disk returns'.repeat(1_000));
  await writeFile(`${database}-wal`, 'and this');
  const { replaced } = await run(environment, 'restore', folder);
  assert.match(await readFile(replaced ?? '', 'utf8'), /^what a broken disk/);
  assert.equal((await readdir(environment.DATA_DIR)).includes('tradepost.db-wal'), false);
  assert.equal((await runCommand(['merchants', 'list'], environment)).status, 0);
});

it('names keys that the key file lacks', async (t) => {
  const { environment, folder } = await prepare(t);
  const created = ['webhooks', 'create', '--url', 'https://market.example/'];
  assert.equal((await runCommand(created, environment)).status, 0);
  await run(environment, 'backup');
  await rm(join(environment.DATA_DIR, 'encryption.keys'));
  const { status, stderr } = await runCommand(['restore', folder], environment);
  assert.equal(status, 0);
  assert.match(stderr, /the service will not start: .*key/);
});

it('the service makes backups by itself, and a restart does not make another', async (t) => {
  const { environment, folder } = await prepare(t, { BACKUP_EVERY: '1d' });
  for (let start = 0; start < 2; start += 1) {
    const service = await startTestService(sqlite, { environment });
    const read = await startHealthServer(t, service.health);
    // A complete backup is known once the service has looked whether one is due.
    await until(async () => {
      const { text } = await read('/metrics');
      return (parseSamples(text).get('tradepost_backup_bytes') ?? 0) > 0;
    }).finally(() => service.stop());
    assert.equal((await backupsIn(folder)).length, 1);
  }
});

it('backup and restore say what to use for PostgreSQL', async (t) => {
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d' };
  assert.match(await refusal(environment, 'backup'), /pg_dump, pgBackRest or WAL archiving/);
  assert.match(
    await refusal(environment, 'restore', '/none'),
    /pg_restore, and then "tradepost expire-cursors"/,
  );
});

it('backup without a file needs BACKUP_TO', async (t) => {
  const { environment, directory } = await prepare(t, { BACKUP_TO: '' });
  assert.match(await refusal(environment, 'backup'), /BACKUP_TO is not set: set it, or state an output file/);
  await mkdir(join(directory, 'there'));
  await writeFile(join(directory, 'there', 'file'), '');
  const wrong = { ...environment, BACKUP_TO: join(directory, 'there', 'file') };
  assert.match(await refusal(wrong, 'backup'), /There is no new backup: /);
});

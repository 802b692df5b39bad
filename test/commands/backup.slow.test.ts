import assert from 'node:assert/strict';
import { copyFile, mkdir, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { backUpSqlite } from '../../src/database/sqlite/backup.ts';
import { ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { campaignNames, newMerchant } from '../support/stored.ts';
import { Traffic } from '../support/traffic.ts';

/** Products have about 1 KB each. */
async function newDatabase(t: TestContext, products: number) {
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: join(directory, 'data') };
  const merchant = await newMerchant(environment);
  const rows = Array.from({ length: products }, (_, index) =>
    JSON.stringify({ identifier: `p${index}`, title: 'A thing', description: 'x'.repeat(600) }),
  );
  const catalog = join(directory, 'catalog.ndjson');
  await writeFile(catalog, rows.join('\n'));
  const load = () => tradepost(['import', 'products', catalog, '--merchant', 'Acme', '--json'], environment);
  assert.equal((await load()).status, 0);
  return { directory, environment, merchant, catalog, load };
}

it('a backup taken during writes contains everything acknowledged before it, and can be served', async (t) => {
  const { directory, environment, merchant, catalog } = await newDatabase(t, 20_000);
  const server = await ServerProcess.start(t, environment);
  const traffic = new Traffic(server, merchant.token);
  await traffic.until(200);
  // New products, so that the file grows while it is copied.
  const grown = (await readFile(catalog, 'utf8')).replaceAll('"p', '"q');
  await writeFile(catalog, grown);
  const importing = tradepost(['import', 'products', catalog, '--merchant', 'Acme'], environment);
  const before = new Set(traffic.ledger.acknowledged);
  const file = join(directory, 'backup.db');
  const { status, stdout, stderr } = await tradepost(['backup', file, '--json'], environment);
  const written = traffic.ledger.acknowledged.size - before.size;
  assert.equal(status, 0, stderr);
  await traffic.until(1);
  await traffic.stop();
  assert.equal((await importing).status, 0);
  assert.equal(traffic.rejected('campaign'), 0);
  assert.ok(written > 0, 'nothing was written during the backup, so this test proves nothing');
  await server.end('SIGTERM');

  const backup = JSON.parse(stdout);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(file)).size, backup.bytes);
  assert.ok(backup.rows.products >= 20_000);
  const restored = { DATA_DIR: join(directory, 'restored') };
  await mkdir(restored.DATA_DIR);
  await copyFile(file, join(restored.DATA_DIR, 'tradepost.db'));
  const names = await campaignNames(restored, merchant);
  assert.equal(names.length, backup.rows.campaigns);
  assert.deepEqual(before.difference(new Set(names)), new Set());
  const again = await ServerProcess.start(t, restored);
  const response = await again.client.request(
    'GET',
    `/v1/products.json?access_token=${merchant.token}&pagination=true`,
  );
  assert.equal(response.json<{ total_entries: number }>().total_entries, backup.rows.products);
  await again.end('SIGTERM');
});

it('a backup contains no secret of a webhook and no key, and is served only with the key file, which the output names', async (t) => {
  const { directory, environment } = await newDatabase(t, 1);
  const file = join(directory, 'backup.db');
  const before = await tradepost(['backup', join(directory, 'before.db'), '--json'], environment);
  assert.equal(JSON.parse(before.stdout).separate_key_file, null);
  const runJson = async <Shape>(...words: string[]): Promise<Shape> => {
    const { status, stdout, stderr } = await tradepost(['webhooks', ...words, '--json'], environment);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Shape;
  };
  const created = await runJson<{ id: string; secret: string }>('create', '--url', 'https://market.example/');
  const { secret } = await runJson<{ secret: string }>('rotate', created.id);
  const { status, stdout } = await tradepost(['backup', file], environment);
  assert.equal(status, 0);
  const keyFile = join(environment.DATA_DIR, 'encryption.keys');
  assert.ok(
    stdout.includes(`\nThe backup does not contain the key file ${keyFile}, and cannot be served`),
    stdout,
  );
  const key = (await readFile(keyFile, 'utf8')).slice(9).trim();
  const parts = [created.secret, secret].map((each) => each.slice('whsec_'.length));
  const stored = (await readdir(environment.DATA_DIR))
    .filter((name) => name.startsWith('tradepost.db'))
    .map((name) => join(environment.DATA_DIR, name));
  for (const each of [file, ...stored]) {
    const bytes = await readFile(each, 'latin1');
    for (const part of ['whsec_', key, ...parts]) assert.ok(!bytes.includes(part), `${part} in ${each}`);
  }

  const restored = { DATA_DIR: join(directory, 'restored') };
  await mkdir(restored.DATA_DIR);
  await copyFile(file, join(restored.DATA_DIR, 'tradepost.db'));
  const refused = await tradepost(['serve'], { ...restored, PORT: '0', METRICS_ADDRESS: 'off' });
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^tradepost: The key file [^\n]*restored[^\n]* does not exist, [^\n]*\n$/);
  await copyFile(keyFile, join(restored.DATA_DIR, 'encryption.keys'));
  const server = await ServerProcess.start(t, restored);
  await server.end('SIGTERM');
});

it('a client that follows changes starts again after a backup is restored', async (t) => {
  const { directory, environment, merchant } = await newDatabase(t, 3);
  const listChanges = async (settings: { DATA_DIR: string }, cursor: string) => {
    const server = await ServerProcess.start(t, settings);
    const path = `/v1/products?changed_since=${cursor}&access_token=${merchant.token}`;
    const response = await server.client.request('GET', path);
    await server.end('SIGTERM');
    return response;
  };
  const { cursor } = (await listChanges(environment, 'start')).json<{ cursor: string }>();
  const restored = { DATA_DIR: join(directory, 'restored') };
  await mkdir(restored.DATA_DIR);
  assert.equal((await tradepost(['backup', join(restored.DATA_DIR, 'tradepost.db')], environment)).status, 0);
  assert.equal((await listChanges(environment, cursor)).status, 200);
  assert.equal((await listChanges(restored, cursor)).status, 410);
  const again = (await listChanges(restored, 'start')).json<{ results: unknown[]; cursor: string }>();
  assert.equal(again.results.length, 3);
  assert.equal((await tradepost(['expire-cursors'], restored)).status, 0);
  assert.equal((await listChanges(restored, again.cursor)).status, 410);
});

it('a database to which another program has added a table with any name can be backed up', async (t) => {
  const { directory, environment } = await newDatabase(t, 1);
  const database = new DatabaseSync(join(environment.DATA_DIR, 'tradepost.db'));
  database.exec('CREATE TABLE "Old ""products"": a?" (id integer)');
  database.close();
  const { status, stdout, stderr } = await tradepost(
    ['backup', join(directory, 'backup.db'), '--json'],
    environment,
  );
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).rows['Old "products": a?'], 0);
});

it('never overwrites a file, a dangling link, or the file of another backup in progress', async (t) => {
  const { directory, environment } = await newDatabase(t, 1);
  const [file, link, busy] = ['there.db', 'link.db', 'busy.db'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(file, 'mine');
  await symlink('nowhere', link);
  await writeFile(`${busy}.partial`, 'theirs');
  for (const target of [file, link, busy]) {
    const { status, stderr } = await tradepost(['backup', target], environment);
    assert.equal(status, 1);
    assert.match(stderr, /^tradepost: [^\n]*already exists[^\n]*\n$/);
  }
  assert.equal(await readFile(file, 'utf8'), 'mine');
  assert.equal(await readFile(`${busy}.partial`, 'utf8'), 'theirs');
});

it('rejects a file that is not a Tradepost database, and creates nothing', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'tradepost.db');
  const backUp = async () =>
    await tradepost(['backup', join(directory, 'backup.db')], { DATA_DIR: directory });
  const cases: [() => Promise<unknown> | undefined, RegExp][] = [
    [async () => {}, /There is no database file/],
    [() => writeFile(file, ''), /The database is empty/],
    [() => writeFile(file, 'no database'.repeat(1_000)), /cannot be used: file is not a database/],
    [
      async () => {
        await writeFile(file, '');
        new DatabaseSync(file).exec('CREATE TABLE other (id integer)');
      },
      /belongs to another program/,
    ],
  ];
  for (const [prepare, message] of cases) {
    await prepare();
    const { status, stderr } = await backUp();
    assert.equal(status, 1);
    assert.match(stderr, message);
    assert.ok((await readdir(directory)).every((name) => !name.startsWith('backup')));
  }
});

it('rejects a damaged database, and creates nothing', async (t) => {
  const { directory, environment } = await newDatabase(t, 500);
  const file = await open(join(environment.DATA_DIR, 'tradepost.db'), 'r+');
  // Skips the pages of the schema. Every later page holds rows or index entries.
  for (let page = 60; page < 90; page += 1) await file.write(Buffer.alloc(64, 'x'), 0, 64, page * 8192);
  await file.close();
  const { status, stderr } = await tradepost(['backup', join(directory, 'backup.db')], environment);
  assert.equal(status, 1, 'the damage is detected');
  assert.match(stderr, /damaged|malformed/);
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('backup')),
    [],
  );
});

it('reports its progress, and leaves no file when it is aborted', async (t) => {
  const { directory, environment } = await newDatabase(t, 12_000);
  const stopping = new AbortController();
  const reports: number[] = [];
  const onProgress = (done: number, all: number): void => {
    assert.ok(done <= all);
    reports.push(done);
    stopping.abort(new Error('enough'));
  };
  const file = join(environment.DATA_DIR, 'tradepost.db');
  const options = { onProgress, signal: stopping.signal };
  await assert.rejects(backUpSqlite(file, join(directory, 'backup.db'), options), /enough/);
  assert.ok(reports.length > 0);
  assert.deepEqual(
    (await readdir(directory)).filter((name) => name.startsWith('backup')),
    [],
  );
});

it('on postgres: names the tools to use instead, and opens no connection', async (t) => {
  const directory = await temporaryDirectory(t);
  const environment = { DATA_DIR: directory, DATABASE_URL: 'postgres://192.0.2.1/tradepost' };
  const { status, stderr } = await tradepost(['backup', join(directory, 'backup.db')], environment);
  assert.equal(status, 1);
  assert.match(stderr, /pg_dump, pgBackRest/);
  assert.deepEqual(await readdir(directory), []);
});

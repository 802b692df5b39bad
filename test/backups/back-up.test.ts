import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { backUp, type CompletedBackup, readBackup } from '../../src/backups/back-up.ts';
import { nameBackup, parseBackupName } from '../../src/backups/backup-name.ts';
import type { BackupPlace, BackupSettings } from '../../src/backups/backup-settings.ts';
import { openBackupStore } from '../../src/backups/backup-store.ts';
import { BackupDamaged } from '../../src/backups/errors.ts';
import { openSqliteReadOnly } from '../../src/database/sqlite/read-only.ts';
import { temporaryDirectory } from '../support/process.ts';
import { newMerchant } from '../support/stored.ts';
import { BucketServer } from './bucket-server.ts';

const KEY = 'a key for these tests';
const AT = Date.parse('2026-03-05T03:30:00Z');
const MINUTE = 60_000;

/** Has a small database, and a directory for backups that does not exist yet. */
async function prepare(t: TestContext) {
  const directory = await temporaryDirectory(t);
  const data = join(directory, 'data');
  await newMerchant({ DATA_DIR: data });
  const place: BackupPlace = { kind: 'directory', path: join(directory, 'backups') };
  const run = (settings: Partial<BackupSettings>, at = AT): Promise<CompletedBackup> =>
    backUp(
      {
        file: join(data, 'tradepost.db'),
        workDirectory: data,
        settings: { place, everyMs: null, keep: 3, key: null, ...settings },
        at,
      },
      { signal: new AbortController().signal, timeoutMs: 1_000, retryMs: 1 },
    );
  return { data, place, folder: place.path, run };
}

const noWork = async (...directories: string[]): Promise<void> => {
  for (const directory of directories)
    assert.deepEqual(
      (await readdir(directory)).filter((name) => /^\.backup|partial/.test(name)),
      [],
    );
};

it('a backup has a name with its time and checksum, and only its owner can read it', async (t) => {
  for (const key of [null, KEY]) {
    const { data, folder, run } = await prepare(t);
    const { file, bytes, removed, notRemoved } = await run({ key });
    assert.deepEqual([removed, notRemoved], [[], null]);
    const name = parseBackupName(file) ?? assert.fail(file);
    assert.deepEqual([name.at, name.isEncrypted], [AT, key !== null]);
    const stats = await stat(join(folder, file));
    assert.deepEqual(
      [stats.size, stats.mode & 0o777, (await stat(folder)).mode & 0o777],
      [bytes, 0o600, 0o700],
    );
    const restored = join(data, 'restored.db');
    const content: Uint8Array[] = [];
    const stored = await readFile(join(folder, file));
    for await (const chunk of readBackup(new Blob([stored]).stream(), file, key)) content.push(chunk);
    await writeFile(restored, Buffer.concat(content));
    await openSqliteReadOnly(restored).close();
    assert.equal(stored.subarray(0, 6).toString() === 'SQLite', key === null);
    await noWork(data, folder);
  }
});

it('a backup in a bucket is read back, and old ones are deleted only then', async (t) => {
  await using server = await BucketServer.start();
  const { data, run } = await prepare(t);
  const place: BackupPlace = { kind: 'bucket', bucket: server.settings, prefix: 'shop/' };
  for (const key of [null, KEY]) {
    const settings = { place, key, keep: 2 };
    const first = await run(settings, AT + (key === null ? 0 : 10) * MINUTE);
    const second = await run(settings, AT + (key === null ? 1 : 11) * MINUTE);
    const names = async () => (await server.names('shop')).sort();
    assert.deepEqual(await names(), [first.file, second.file].sort());
    // Bytes that change on the way are refused by a server that checks them, and noticed when they are read.
    server.fault = ({ method }) => (method === 'PUT' ? 'change' : 'pass');
    await assert.rejects(run(settings, AT + 20 * MINUTE), /was read back, and|refused the call/);
    server.fault = ({ method }) => (method === 'PUT' ? { status: 507 } : 'pass');
    await assert.rejects(run(settings, AT + 21 * MINUTE), /refused the call: status 507/);
    server.fault = ({ method, path }) =>
      method === 'GET' && path.includes('.db') && !path.includes('list-type') ? 'cut' : 'pass';
    await assert.rejects(run(settings, AT + 22 * MINUTE), /cannot be used/);
    server.fault = () => 'pass';
    assert.ok((await names()).includes(first.file));
    // The unverified one of the last failure counts as one that is stored.
    const third = await run(settings, AT + 23 * MINUTE);
    assert.ok(third.removed.includes(first.file));
    assert.equal((await names()).length, 2);
    server.fault = ({ method }) => (method === 'DELETE' ? { status: 403 } : 'pass');
    const fourth = await run(settings, AT + 24 * MINUTE);
    assert.match(fourth.notRemoved ?? '', /refused the call: status 403/);
    server.fault = () => 'pass';
    await noWork(data);
    for (const name of await names())
      await openBackupStore(place, { signal: AbortSignal.timeout(9_000) }).remove(name);
  }
});

it('only backups that Tradepost named are deleted, and the newest stay', async (t) => {
  const { folder, run } = await prepare(t);
  await mkdir(folder, { mode: 0o700 });
  const others = [
    '2026-01-31.db',
    'tradepost.db',
    'tradepost-2026-01-01T00-00-00Z-7f3a0c.db',
    'tradepost-2026-01-01T00-00-00Z-0123456789abcdef0123456789abcdef.db.bak',
    'notes-tradepost-2026-01-01T00-00-00Z-0123456789abcdef0123456789abcdef.db',
    'tradepost-2026-13-01T00-00-00Z-0123456789abcdef0123456789abcdef.db',
  ];
  for (const name of others) await writeFile(join(folder, name), 'not ours');
  await mkdir(join(folder, nameBackup(AT - 99 * MINUTE, '0'.repeat(64), false)));
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1)
    made.push((await run({ key: index % 2 === 0 ? KEY : null }, AT + index * MINUTE)).file);
  const left = await readdir(folder);
  for (const name of others) assert.ok(left.includes(name), name);
  assert.deepEqual(
    made.filter((name) => left.includes(name)),
    made.slice(-3),
  );
});

it('a backup that was changed, renamed for another or cut is not read', async (t) => {
  const { folder, run } = await prepare(t);
  const read = async (bytes: Buffer<ArrayBuffer>, file: string, key: string | null = null): Promise<void> => {
    for await (const _ of readBackup(new Blob([bytes]).stream(), file, key));
  };
  const { file } = await run({});
  const bytes = await readFile(join(folder, file));
  await read(bytes, file);
  // SQLite itself does not notice a changed value.
  const changed = Buffer.from(bytes);
  changed[bytes.length - 7] = (changed[bytes.length - 7] ?? 0) ^ 1;
  await assert.rejects(read(changed, file), BackupDamaged);
  await assert.rejects(read(bytes.subarray(0, -1), file), /checksum in its name/);
  await assert.rejects(read(bytes, nameBackup(AT, '0'.repeat(64), false)), /checksum in its name/);
  const { file: encrypted } = await run({ key: KEY });
  const secret = await readFile(join(folder, encrypted));
  await read(secret, encrypted, KEY);
  await assert.rejects(read(secret, encrypted), /it is encrypted, and BACKUP_KEY is not set/);
  await assert.rejects(read(secret, encrypted, 'another key, long enough'), /BACKUP_KEY is not the key/);
});

it('what a killed process left is removed after hours, not before', async (t) => {
  const { data, run } = await prepare(t);
  const [old, fresh] = [join(data, '.backup-old.db'), join(data, '.backup-fresh.db')];
  await copyFile(join(data, 'tradepost.db'), old);
  await copyFile(join(data, 'tradepost.db'), fresh);
  await utimes(old, AT / 1000 - 86_400, AT / 1000 - 86_400);
  await utimes(fresh, AT / 1000, AT / 1000);
  await run({ key: KEY });
  const left = await readdir(data);
  assert.deepEqual([left.includes('.backup-old.db'), left.includes('.backup-fresh.db')], [false, true]);
});

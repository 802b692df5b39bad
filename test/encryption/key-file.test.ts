import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { changeKeyFile, KeyFileUnusable, readKeyFile } from '../../src/encryption/key-file.ts';
import { type KeyFile, newEncryptionKey } from '../../src/encryption/key-lines.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const newPath = async (t: Owner): Promise<string> => join(await temporaryDirectory(t), 'encryption.keys');
const idsOf = ({ keys }: KeyFile): string[] => keys.map(({ id }) => id);
const addKey = (file: KeyFile): KeyFile => ({ ...file, keys: [...file.keys, newEncryptionKey()] });
const addFirst = (file: KeyFile): KeyFile => (file.keys.length === 0 ? addKey(file) : file);

/** The message names the file, and contains no key. */
const assertRefused = (file: string, problem: RegExp): Promise<void> =>
  assert.rejects(readKeyFile(file), (error) => {
    assert.ok(error instanceof KeyFileUnusable);
    assert.ok(error.message.startsWith(`The key file ${file} `), error.message);
    assert.match(error.message, problem);
    assert.ok(!error.message.includes(KEY.slice(0, 8)));
    return true;
  });

it('a key file is created whole, with one key, readable by its owner only', async (t) => {
  const file = await newPath(t);
  assert.deepEqual(await readKeyFile(file), { keys: [], monthly: [], destroyed: [], stats: undefined });
  const { content, change } = await changeKeyFile(file, addFirst);
  assert.equal(change, 'created');
  assert.match(await readFile(file, 'utf8'), /^[0-9a-f]{8} [\w-]{43}\n$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(`${file}.lock`)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dirname(file)), ['encryption.keys', 'encryption.keys.lock']);
  const [[created], [read]] = [content.keys, (await readKeyFile(file)).keys];
  assert.ok(created !== undefined && read !== undefined);
  assert.equal(read.id, created.id);
  assert.ok(read.key.equals(created.key));
  assert.equal(read.key.symmetricKeySize, 32);
});

it('when several create it at once, all get the one key that is stored', async (t) => {
  const file = await newPath(t);
  const all = await Promise.all(Array.from({ length: 8 }, () => changeKeyFile(file, addFirst)));
  const stored = await readKeyFile(file);
  for (const { content } of all) assert.deepEqual(idsOf(content), idsOf(stored));
  assert.equal(all.filter(({ change }) => change === 'created').length, 1);
});

it('a key file has a line for each key, in this order', async (t) => {
  const file = await newPath(t);
  await writeFile(file, `0000000b ${KEY}\n0000000a ${KEY}`, { mode: 0o600 });
  assert.deepEqual(idsOf(await readKeyFile(file)), ['0000000b', '0000000a']);
  assert.equal((await changeKeyFile(file, addFirst)).change, 'nothing');
  assert.equal((await changeKeyFile(file, addKey)).change, 'changed');
  assert.deepEqual(idsOf(await readKeyFile(file)).slice(0, 2), ['0000000b', '0000000a']);
});

it('a key file says which keys are next, from which month a secret is, and which secrets were destroyed', async (t) => {
  const file = await newPath(t);
  const text = `0000000a ${KEY}\nnext 0000000b ${KEY}\nmonthly 2026-09 0000000c ${KEY}\nnext monthly 2026-11 0000000d ${KEY}\nmonthly destroyed 0000000e\n`;
  await writeFile(file, text, { mode: 0o600 });
  const { keys, monthly, destroyed } = await readKeyFile(file);
  assert.deepEqual(
    keys.map(({ id, isNext }) => [id, isNext]),
    [
      ['0000000a', false],
      ['0000000b', true],
    ],
  );
  assert.deepEqual(
    monthly.map(({ id, isNext, month }) => [id, isNext, month]),
    [
      ['0000000c', false, '2026-09'],
      ['0000000d', true, '2026-11'],
    ],
  );
  assert.deepEqual(destroyed, ['0000000e']);
  await changeKeyFile(file, (content) => ({ ...content }));
  assert.equal(await readFile(file, 'utf8'), text);
});

it('a file with other content is refused with the number of the line, without its content', async (t) => {
  const file = await newPath(t);
  for (const [content, problem] of [
    ['', /invalid line 1: expected an ID of 8 hexadecimal digits/],
    ['\n', /invalid line 1/],
    [KEY, /invalid line 1/],
    [`0000000A ${KEY}\n`, /invalid line 1/],
    [`0000000a  ${KEY}\n`, /invalid line 1/],
    [`0000000a ${KEY}\n0000000b ${KEY.slice(1)}\n`, /invalid line 2/],
    [`0000000a ${KEY}\n\n0000000b ${KEY}\n`, /invalid line 2/],
    [`0000000a ${KEY}\r\n`, /invalid line 1/],
    [`0000000a ${KEY.slice(0, -1)}_\n`, /invalid line 1/],
    [`0000000a ${KEY}\n0000000a ${KEY}\n`, /invalid line 2: another line has the same ID/],
    [`0000000a ${KEY}\nmonthly 2026-11 0000000a ${KEY}\n`, /invalid line 2: another line has the same ID/],
    [`monthly 2026-11 0000000a ${KEY}\nmonthly destroyed 0000000a\n`, /invalid line 2: another line/],
    [`monthly 2026-13 0000000a ${KEY}\n`, /invalid line 1/],
    [`monthly 0000000a ${KEY}\n`, /invalid line 1/],
    [`monthly next 2026-11 0000000a ${KEY}\n`, /invalid line 1/],
    [`monthly 2026-11 0000000a ${KEY.slice(1)}\n`, /invalid line 1/],
    [`monthly destroyed 0000000a ${KEY}\n`, /invalid line 1/],
    [`last 0000000a ${KEY}\n`, /invalid line 1/],
  ] as const) {
    await writeFile(file, content, { mode: 0o600 });
    await assertRefused(file, problem);
  }
});

it('a file that is accessible to every user, or that cannot be read, is refused, and not changed', async (t) => {
  const file = await newPath(t);
  await changeKeyFile(file, addFirst);
  const content = await readFile(file, 'utf8');
  for (const mode of [0o604, 0o644, 0o602]) {
    await chmod(file, mode);
    await assertRefused(file, /is accessible to every user: run chmod go= '/);
    await assert.rejects(changeKeyFile(file, addKey), /is accessible to every user/);
  }
  assert.equal(await readFile(file, 'utf8'), content);
  await chmod(file, 0o640);
  assert.equal((await readKeyFile(file)).keys.length, 1);
  const directory = join(dirname(file), 'directory');
  await mkdir(directory, { mode: 0o700 });
  await assertRefused(directory, /cannot be read: EISDIR/);
  await assertRefused(join(file, 'below'), /cannot be read: ENOTDIR/);
  await assert.rejects(
    changeKeyFile(join(directory, 'missing', 'file'), addFirst),
    /cannot be created: ENOENT/,
  );
});

it('a changed file keeps its permissions, and a link to it stays a link', async (t) => {
  const file = await newPath(t);
  const link = `${file}.link`;
  await changeKeyFile(file, addFirst);
  await chmod(file, 0o640);
  await symlink(file, link);
  await changeKeyFile(link, addKey);
  assert.equal((await stat(file)).mode & 0o777, 0o640);
  assert.equal((await readKeyFile(file)).keys.length, 2);
  assert.deepEqual(idsOf(await readKeyFile(link)), idsOf(await readKeyFile(file)));
});

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { createKeyFile, KeyFileUnusable, readKeyFile } from '../../src/encryption/key-file.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';

const KEY = Buffer.alloc(32, 7).toString('base64url');
const newPath = async (t: Owner): Promise<string> => join(await temporaryDirectory(t), 'encryption.keys');
const ids = (keys: { id: string }[]): string[] => keys.map(({ id }) => id);

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
  assert.deepEqual(await readKeyFile(file), []);
  const [created, ...others] = await createKeyFile(file);
  assert.deepEqual(others, []);
  assert.match(await readFile(file, 'utf8'), /^[0-9a-f]{8} [\w-]{43}\n$/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(dirname(file)), ['encryption.keys']);
  const [read] = await readKeyFile(file);
  assert.ok(created !== undefined && read !== undefined);
  assert.equal(read.id, created.id);
  assert.ok(read.key.equals(created.key));
  assert.equal(read.key.symmetricKeySize, 32);
});

it('when several create it at once, all get the one key that is stored', async (t) => {
  const file = await newPath(t);
  const all = await Promise.all(Array.from({ length: 8 }, () => createKeyFile(file)));
  const stored = await readKeyFile(file);
  for (const keys of all) assert.deepEqual(ids(keys), ids(stored));
  assert.deepEqual(await readdir(dirname(file)), ['encryption.keys']);
});

it('a key file has a line for each key, in this order', async (t) => {
  const file = await newPath(t);
  await writeFile(file, `0000000b ${KEY}\n0000000a ${KEY}`, { mode: 0o600 });
  assert.deepEqual(ids(await readKeyFile(file)), ['0000000b', '0000000a']);
  assert.deepEqual(ids(await createKeyFile(file)), ['0000000b', '0000000a']);
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
  ] as const) {
    await writeFile(file, content, { mode: 0o600 });
    await assertRefused(file, problem);
  }
});

it('a file that is accessible to every user, or that cannot be read, is refused', async (t) => {
  const file = await newPath(t);
  await createKeyFile(file);
  for (const mode of [0o604, 0o644, 0o602]) {
    await chmod(file, mode);
    await assertRefused(file, /is accessible to every user: run chmod go= '/);
  }
  await chmod(file, 0o640);
  assert.equal((await readKeyFile(file)).length, 1);
  const directory = join(dirname(file), 'directory');
  await mkdir(directory, { mode: 0o700 });
  await assertRefused(directory, /cannot be read: EISDIR/);
  await assertRefused(join(file, 'below'), /cannot be read: ENOTDIR/);
  await assert.rejects(createKeyFile(join(directory, 'missing', 'file')), /cannot be created: ENOENT/);
});

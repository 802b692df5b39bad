import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { changeKeyFile, readKeyFile } from '../../src/encryption/key-file.ts';
import { newEncryptionKey, newMonthlySecret } from '../../src/encryption/key-lines.ts';
import { addNextKeys } from '../../src/encryption/rotate-keys.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';

const SCRIPT = join(import.meta.dirname, 'change-keys.ts');

async function run<Result>(file: string, task: string): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, file, task]);
  return JSON.parse(stdout) as Result;
}

async function newFile(t: Owner): Promise<string> {
  const file = join(await temporaryDirectory(t), 'encryption.keys');
  await changeKeyFile(file, (content) => ({
    ...content,
    keys: [newEncryptionKey()],
    monthly: [newMonthlySecret('2026-01')],
  }));
  return file;
}

it('processes that add, rotate and destroy keys at once lose no change, and readers see whole contents', async (t) => {
  const file = await newFile(t);
  const [added, more] = await Promise.all([
    run<string[]>(file, 'add'),
    run<string[]>(file, 'add'),
    run(file, 'rotate'),
    run(file, 'destroy'),
    run(file, 'destroy'),
    run(file, 'read'),
  ]);
  const { keys, monthly, destroyed } = await readKeyFile(file);
  const ids = keys.map(({ id }) => id);
  for (const id of [...added, ...more]) assert.ok(ids.includes(id), id);
  assert.ok(ids.length > 51, 'rotations add keys too');
  assert.equal(monthly[0]?.month, '2028-01');
  assert.deepEqual(destroyed, []);
  assert.deepEqual((await readdir(dirname(file))).sort(), ['encryption.keys', 'encryption.keys.lock']);
});

it('processes that create the file at once agree on its monthly key', async (t) => {
  const file = join(await temporaryDirectory(t), 'encryption.keys');
  const names = await Promise.all(Array.from({ length: 4 }, () => run<string>(file, 'create')));
  assert.equal(new Set(names).size, 1, names.join(', '));
});

it('a process that dies before it replaces the file leaves the former content, and the next one removes its draft', async (t) => {
  const file = await newFile(t);
  await addNextKeys(file, '2026-02');
  const content = await readFile(file, 'utf8');
  await assert.rejects(run(file, 'die'), { signal: 'SIGKILL' });
  assert.equal(await readFile(file, 'utf8'), content);
  const names = await readdir(dirname(file));
  assert.equal(names.filter((name) => /^encryption\.keys\..+\.new$/.test(name)).length, 1, names.join(', '));
  await run(file, 'rotate');
  assert.ok((await readdir(dirname(file))).every((name) => !name.endsWith('.new')));
  assert.deepEqual(
    (await readKeyFile(file)).keys.filter(({ isNext }) => isNext),
    [],
  );
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { OutputFile, UnsafeOutput } from '../../src/shared/output-file.ts';
import { temporaryDirectory } from '../support/process.ts';

async function write(path: string, text: string): Promise<void> {
  const file = await OutputFile.at(path);
  file.stream().write(text);
  await file.commit();
}

it('replaces a regular file only when complete, and leaves no other files', async (t) => {
  const directory = await temporaryDirectory(t);
  const path = join(directory, 'out');
  await write(path, 'first');
  const file = await OutputFile.at(path);
  file.stream().write('second');
  assert.equal(await readFile(path, 'utf8'), 'first');
  await file.commit();
  assert.equal(await readFile(path, 'utf8'), 'second');
  const other = await OutputFile.at(path);
  other.stream().write('third');
  await other.discard();
  assert.equal(await readFile(path, 'utf8'), 'second');
  await (await OutputFile.at(path)).commit();
  assert.equal(await readFile(path, 'utf8'), 'second');
  assert.deepEqual(await readdir(directory), ['out']);
});

it('rejects symbolic links, dangling links and directories', async (t) => {
  const directory = await temporaryDirectory(t);
  const [target, link, dangling, folder] = ['target', 'link', 'dangling', 'folder'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string];
  await writeFile(target, 'precious');
  await symlink(target, link);
  await symlink(join(directory, 'nothing'), dangling);
  await mkdir(folder);
  for (const path of [link, folder, dangling]) await assert.rejects(OutputFile.at(path), UnsafeOutput);
  assert.equal(await readFile(target, 'utf8'), 'precious');
  assert.deepEqual((await readdir(directory)).sort(), ['dangling', 'folder', 'link', 'target']);
});

it('replaces a link that appeared at the path meanwhile, and does not touch its target', async (t) => {
  const directory = await temporaryDirectory(t);
  const [target, path] = [join(directory, 'target'), join(directory, 'out')];
  await writeFile(target, 'precious');
  const file = await OutputFile.at(path);
  file.stream().write('mine');
  await symlink(target, path);
  await file.commit();
  assert.deepEqual([await readFile(target, 'utf8'), await readFile(path, 'utf8')], ['precious', 'mine']);
});

it('writes to a device and to a pipe directly', async (t) => {
  const directory = await temporaryDirectory(t);
  await write('/dev/null', 'gone');
  const pipe = join(directory, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const [text] = await Promise.all([readFile(pipe, 'utf8'), write(pipe, 'through')]);
  assert.equal(text, 'through');
  assert.deepEqual(await readdir(directory), ['pipe']);
});

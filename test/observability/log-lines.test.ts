import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { closeSync, constants, openSync, readSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { LogLines } from '../../src/observability/log-lines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { until } from '../support/until.ts';

const LOGGER = join(import.meta.dirname, './exiting-logger.ts');

const lineOf = (number: number): string => `${JSON.stringify({ number, padding: 'x'.repeat(30) })}\n`;

async function openPipe(t: TestContext): Promise<{ path: string; pipe: number }> {
  const path = join(await temporaryDirectory(t), 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  t.after(() => closeSync(pipe));
  return { path, pipe };
}

function readAvailable(pipe: number): string {
  const chunk = Buffer.alloc(65_536);
  let text = '';
  for (;;) {
    try {
      text += chunk.toString('latin1', 0, readSync(pipe, chunk));
    } catch {
      return text;
    }
  }
}

function numbersIn(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).number);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

it('keeps lines in order while the pipe is full, and drops and counts those beyond the limit', async (t) => {
  const { pipe } = await openPipe(t);
  const log = new LogLines(pipe);
  const COUNT = 60_000;
  for (let number = 0; number < COUNT; number += 1) log.add(lineOf(number));
  // Long enough for the logger to detect that the pipe is full.
  await pause(100);
  let text = '';
  const isComplete = (): boolean => {
    text += readAvailable(pipe);
    log.addNow('');
    return text.endsWith('log lines lost"}\n');
  };
  await until(isComplete, { intervalMs: 5, message: () => text.slice(-200) });
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const lost = Number.parseInt(JSON.parse(text.slice(end)).msg, 10);
  assert.ok(lost > 10_000 && lost < COUNT - 10_000, `${lost} lost`);
  assert.deepEqual(numbersIn(text.slice(0, end)), upTo(COUNT - lost));
});

it('ends a line that an error cut off, so that the next one is complete', async (t) => {
  const { pipe } = await openPipe(t);
  const ENOSPC = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  const written: string[] = [];
  const outcomes: [error: Error | null, bytes?: number][] = [[null, 10], [ENOSPC]];
  type Done = (error: Error | null, written: number) => void;
  t.mock.method(fs, 'write', (_descriptor: number, bytes: Buffer, done: Done) => {
    const [error, count = bytes.length] = outcomes.shift() ?? [null];
    if (error === null) written.push(bytes.toString('latin1', 0, count));
    setImmediate(() => done(error, error === null ? count : 0));
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const log = new LogLines(pipe);
  for (const number of [0, 1]) log.add(lineOf(number));
  log.addNow(lineOf(2));
  await until(() => outcomes.length === 0);
  log.addNow(lineOf(3));
  await until(() => written.length > 1);
  const [cut, next, lost, ...others] = written.join('').split('\n');
  assert.equal(cut, lineOf(0).slice(0, 10));
  assert.equal(`${next}\n`, lineOf(3));
  assert.equal(JSON.parse(lost ?? '').msg, '3 log lines lost');
  assert.deepEqual(others, ['']);
});

it('writes its pending lines in order if the process exits while the pipe is full', async (t) => {
  const { path, pipe } = await openPipe(t);
  const COUNT = 5_000;
  const child = spawn(process.execPath, [LOGGER, path, String(COUNT)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  let text = '';
  const hasExited = (): boolean => {
    text += readAvailable(pipe);
    return child.exitCode !== null;
  };
  await until(hasExited, { intervalMs: 1 });
  assert.deepEqual(await exited, [0, null]);
  text += readAvailable(pipe);
  assert.deepEqual(numbersIn(text), upTo(COUNT));
});

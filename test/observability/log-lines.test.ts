import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { LogLines } from '../../src/observability/log-lines.ts';
import { temporaryDirectory } from '../support/process.ts';

it('where nobody reads, lines wait; those that are too many are lost, and counted, and the rest comes in order', async (t) => {
  const path = join(await temporaryDirectory(t), 'pipe');
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  t.after(() => closeSync(pipe));
  const log = new LogLines(pipe);
  const COUNT = 60_000;
  for (let number = 0; number < COUNT; number += 1) {
    log.add(`${JSON.stringify({ number, padding: 'x'.repeat(30) })}\n`);
  }
  // Time for it to find out that nobody does.
  await pause(100);
  let text = '';
  const chunk = Buffer.alloc(65_536);
  while (!text.endsWith('log lines lost"}\n')) {
    try {
      text += chunk.toString('latin1', 0, readSync(pipe, chunk));
    } catch {
      await pause(5);
      log.addNow('');
    }
  }
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lost = Number.parseInt(lines.pop().msg, 10);
  const numbers = lines.map(({ number }) => number);
  assert.equal(numbers.length + lost, COUNT);
  assert.ok(lost > 10_000 && lost < COUNT - 10_000, `${lost} lost`);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index),
  );
});

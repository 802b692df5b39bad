import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readLines } from '../../src/files/read-lines.ts';

// In a file of its own, because tests of the same process hold memory too.
it('skips a line of 300 MB without keeping it in memory', async () => {
  let held = 0;
  async function* text(): AsyncGenerator<Buffer> {
    yield Buffer.from('first\n');
    for (let sent = 0; sent < 300; sent++) {
      held = Math.max(held, process.memoryUsage().arrayBuffers);
      yield Buffer.alloc(1024 * 1024, 'x');
    }
    yield Buffer.from('\nlast');
  }
  const seen: [number, boolean][] = [];
  let most = 0;
  for await (const rows of readLines(text())) {
    for (const { line, tooLong, bytes } of rows) {
      seen.push([line, tooLong]);
      most = Math.max(most, bytes.length);
    }
  }
  assert.deepEqual(seen, [
    [1, false],
    [2, true],
    [3, false],
  ]);
  assert.ok(most <= 4096);
  // This includes garbage that has not been collected yet.
  assert.ok(held < 200 * 1024 * 1024, `${held} bytes held`);
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporaryDirectory } from '../support/process.ts';
import { runs } from '../support/thorough.ts';

const ROUNDS = runs(20);
const THREADS = 3;
const module = new URL('../../src/database/sqlite/open.ts', import.meta.url).href;
/** Opens the file once all threads are there. */
const source = `
  const { workerData: { module, file, arrived, threads } } = require('node:worker_threads');
  import(module).then(async ({ openSqlite }) => {
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < threads);
    await openSqlite(file).close();
  });
`;

it('a new SQLite file can be opened by several threads at the same time', async (t) => {
  const directory = await temporaryDirectory(t);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const arrived = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { module, file: join(directory, `${round}.db`), arrived, threads: THREADS };
    const exits = Array.from({ length: THREADS }, () =>
      once(new Worker(source, { eval: true, workerData }), 'exit'),
    );
    for (const [code] of await Promise.all(exits)) assert.equal(code, 0, `round ${round}`);
  }
});

import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { pino } from 'pino';
import { WorkerPool } from '../../src/workers/worker-pool.ts';
import { until } from '../support/until.ts';

const SIZE = 2;
const FIRST_URL = 'https://127.0.0.1:1111';

/** The URL that each worker reported, by worker number. */
const served = new Map<number, string>();
cluster.setupPrimary({ exec: join(import.meta.dirname, './fake-worker.ts'), execArgv: [] });
cluster.on('message', (worker: Worker, message: object) => {
  if ('serving' in message) served.set(worker.id, String(message.serving));
});

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

/** The fake workers at the `unready` positions, from 1, are not ready. */
async function startPool(t: TestContext, ...unready: number[]): Promise<WorkerPool> {
  const last = Math.max(0, ...served.keys());
  process.env.FIRST = String(last + SIZE);
  process.env.UNREADY = unready.map((position) => last + position).join();
  const pool = new WorkerPool(SIZE, pino({ level: 'silent' }));
  t.after(() => {
    // A stopped process reacts only to SIGKILL.
    for (const worker of running()) worker.process.kill('SIGKILL');
    return pool.stop();
  });
  assert.equal(await pool.start(), FIRST_URL);
  return pool;
}

it('is ready while one worker is, even if another one is not', async (t) => {
  assert.equal(await (await startPool(t, 1)).unreadyReason(), null);
});

it('is not ready while no worker is, and reports the reason', async (t) => {
  assert.equal(await (await startPool(t, 1, 2)).unreadyReason(), 'The database cannot be used.');
});

it('is not ready while no worker responds', async (t) => {
  const pool = await startPool(t);
  const [first, second] = running();
  first?.process.kill('SIGSTOP');
  assert.equal(await pool.unreadyReason(), null);
  second?.process.kill('SIGSTOP');
  assert.equal(await pool.unreadyReason(), 'No worker process is serving.');
});

it('replaces a worker that listens on another port than the others until all use the same one', async (t) => {
  await startPool(t);
  const [first, second] = running();
  const killed = new Set([first?.id, second?.id]);
  first?.process.kill('SIGKILL');
  // Its replacement gets another port.
  await until(() => [...served.values()].some((url) => url !== FIRST_URL));
  second?.process.kill('SIGKILL');
  await until(() => {
    const now = running().filter(({ id }) => !killed.has(id));
    return now.length === SIZE && now.every(({ id }) => served.get(id) === FIRST_URL);
  });
});

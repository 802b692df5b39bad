import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { QueueFull } from '../../src/shared/fair-queue.ts';

const MERCHANT = 1;

/** One read at a time, each of which ends when the test says so, and a clock that the test advances. */
function startReads() {
  const running: (() => void)[] = [];
  let now = 0;
  const database = {
    longReads: { maxRunning: 1, perQueue: 1 },
    snapshot: () => new Promise<void>((resolve) => running.push(resolve)),
  } as unknown as Database;
  const reads = new OffLoopReads(
    database,
    (job) => job(),
    () => now,
  );
  return {
    reads,
    /** Takes `ms` for each of the reads in progress and the ones that wait behind it. */
    finish: async (count: number, ms: number): Promise<void> => {
      for (let read = 0; read < count; read += 1) {
        now += ms;
        running.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('expensive reads', () => {
  /** Keeps the queue busy with reads of `ms`, then adds reads until one is refused. */
  const waitingWithReadsOf = async (ms: number): Promise<number> => {
    const { reads, finish } = startReads();
    let refused = 0;
    const read = (): Promise<void> =>
      reads
        .snapshot(MERCHANT, async () => undefined)
        .catch((error) => {
          assert.ok(error instanceof QueueFull);
          refused += 1;
        });
    for (let round = 0; round < 2_000 / ms; round += 1) {
      while (reads.waiting < 20) void read();
      await finish(1, ms);
    }
    while (refused === 0 && reads.waiting < 1_000) {
      void read();
      await new Promise(setImmediate);
    }
    return reads.waiting;
  };

  it('wait only if they are likely to start within 400 ms', async () => {
    const waiting = await waitingWithReadsOf(5);
    assert.ok(waiting > 70 && waiting < 90, `${waiting} reads of 5 ms wait`);
  });

  it('wait if fewer than 32 do, however slow they are', async () => {
    assert.equal(await waitingWithReadsOf(100), 32);
  });

  it('do not wait if 128 do, however fast they are', async () => {
    assert.equal(await waitingWithReadsOf(1), 128);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeptRead } from '../../src/shared/kept-read.ts';

describe('KeptRead', () => {
  const start = (durationMs: number) => {
    const time = { now: 0, clock: 0 };
    let reads = 0;
    const kept = new KeptRead(
      () => {
        reads += 1;
        time.clock += durationMs;
        return reads === 3 ? Promise.reject(new Error('away')) : Promise.resolve(reads);
      },
      { now: () => time.now, clock: () => time.clock },
    );
    return { time, kept };
  };

  for (const [durationMs, keptMs] of [
    [1, 10_000],
    [300, 30_000],
    [5_000, 60_000],
  ] as const) {
    it(`keeps what took ${durationMs} ms for ${keptMs} ms`, async () => {
      const { time, kept } = start(durationMs);
      assert.equal(await kept.read(), 1);
      time.now = keptMs - 1;
      assert.equal(await kept.read(), 1);
      time.now = keptMs;
      assert.equal(await kept.read(), 2);
    });
  }

  it('reads once for calls at the same time, and does not keep a failure', async () => {
    const { time, kept } = start(1);
    assert.deepEqual(await Promise.all([kept.read(), kept.read()]), [1, 1]);
    time.now = 10_000;
    assert.equal(await kept.read(), 2);
    time.now = 20_000;
    await assert.rejects(kept.read(), /away/);
    assert.equal(await kept.read(), 4);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PollingLoop } from '../../src/shared/polling-loop.ts';
import { TimeSlices } from '../../src/shared/time-slices.ts';
import { withTimeout } from '../../src/shared/timeout.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const POLL_MS = 100;

function newLoop(step: (number: number) => boolean | Promise<boolean>, pollMs = HOUR_MS) {
  const counts = { steps: 0, errors: 0 };
  const loop = new PollingLoop({
    step: async () => {
      counts.steps += 1;
      return await step(counts.steps);
    },
    pollMs,
    minPauseMs: () => 0,
    onError: () => {
      counts.errors += 1;
    },
  });
  return { counts, loop };
}

describe('a polling loop', () => {
  it('runs the next step at once while there is more to do, and then when it is woken', async () => {
    const { counts, loop } = newLoop((number) => number < 5);
    loop.start();
    await until(() => counts.steps === 5);
    loop.wake();
    await until(() => counts.steps === 6);
    await loop.close();
    assert.deepEqual(counts, { steps: 6, errors: 0 });
  });

  it('runs another step if it is woken during a step that finds nothing', async () => {
    const first = Promise.withResolvers<boolean>();
    const { counts, loop } = newLoop((number) => (number === 1 ? first.promise : false));
    loop.start();
    await until(() => counts.steps === 1);
    loop.wake();
    first.resolve(false);
    await until(() => counts.steps === 2);
    await loop.close();
  });

  it('reports the first of several errors in a row, and goes on', async () => {
    const { counts, loop } = newLoop((number) => {
      if ([1, 2, 3, 5].includes(number)) throw new Error(`step ${number}`);
      return false;
    }, 1);
    loop.start();
    await until(() => counts.steps >= 6);
    await loop.close();
    assert.equal(counts.errors, 2);
  });

  it('tries a step that failed again only after the whole pause, however often it is woken', async () => {
    const startedAt = performance.now();
    const { counts, loop } = newLoop(() => {
      loop.wake();
      throw new Error('the database is away');
    }, POLL_MS);
    loop.start();
    const isTriedTwice = (): boolean => {
      loop.wake();
      return counts.steps === 3;
    };
    await until(isTriedTwice, { intervalMs: 5 });
    await loop.close();
    // Timers may fire a millisecond early.
    assert.ok(performance.now() - startedAt >= 2 * (POLL_MS - 2));
    assert.equal(counts.errors, 1);
  });

  it('closes after the step in progress, and runs no other', async () => {
    const first = Promise.withResolvers<boolean>();
    const { counts, loop } = newLoop(() => first.promise);
    loop.start();
    await until(() => counts.steps === 1);
    let isClosed = false;
    const closed = loop.close().then(() => {
      isClosed = true;
    });
    assert.ok(loop.isStopping);
    await nextTurn();
    assert.equal(isClosed, false);
    first.resolve(true);
    await closed;
    assert.equal(counts.steps, 1);
  });
});

it('slices of long work let other work of the event loop run', async () => {
  const slices = new TimeSlices();
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (turns < 3) setImmediate(count);
  };
  setImmediate(count);
  for (let rounds = 0; turns < 3; rounds += 1) {
    await slices.pause();
    assert.ok(rounds < 1e9, 'no other work ran');
  }
  assert.equal(turns, 3);
});

describe('a time limit', () => {
  it('resolves to the result of work that ends in time, or fails with its error', async () => {
    assert.equal(await withTimeout(HOUR_MS, Promise.resolve('done'), 'late'), 'done');
    await assert.rejects(withTimeout(HOUR_MS, Promise.reject(new Error('failed')), 'late'), /failed/);
  });

  it('resolves to the other value if the work takes longer', async () => {
    const never = new Promise<string>(() => {});
    assert.equal(await withTimeout(1, never, 'late'), 'late');
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PollingLoop } from '../../src/shared/polling-loop.ts';

const POLL_MS = 100;

it('tries a step that failed again only after the whole pause, however often it is woken, and reports once', async () => {
  const errors: unknown[] = [];
  const done = Promise.withResolvers<void>();
  let steps = 0;
  const loop = new PollingLoop({
    step: async () => {
      steps += 1;
      loop.wake();
      if (steps === 4) done.resolve();
      throw new Error('away');
    },
    pollMs: POLL_MS,
    minPauseMs: () => 1,
    onError: (error) => errors.push(error),
  });
  const startedAt = performance.now();
  loop.start();
  await done.promise;
  await loop.close();
  // Timers may fire a millisecond early.
  assert.ok(performance.now() - startedAt >= 3 * (POLL_MS - 2));
  assert.equal(errors.length, 1);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from './until.ts';

it('resolves to the first value that is there', async () => {
  let checks = 0;
  assert.equal(await until(() => (checks++ < 3 ? undefined : 'ready'), { intervalMs: 1 }), 'ready');
  assert.equal(checks, 4);
});

it('fails when the condition does not hold in time, and says what it waited for', async () => {
  const message = () => 'no answer yet';
  await assert.rejects(
    until(async () => false, { timeoutMs: 30, intervalMs: 1, message }),
    /after 30 ms: no answer yet/,
  );
});

it('passes on what the condition throws', async () => {
  await assert.rejects(
    until(() => {
      throw new Error('broken');
    }),
    /broken/,
  );
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from './until.ts';

it('resolves to the first truthy value', async () => {
  let checks = 0;
  assert.equal(await until(() => (checks++ < 3 ? undefined : 'ready'), { intervalMs: 1 }), 'ready');
  assert.equal(checks, 4);
});

it('fails with its message if the condition does not hold in time', async () => {
  const message = () => 'no response yet';
  await assert.rejects(
    until(async () => false, { timeoutMs: 30, intervalMs: 1, message }),
    /after 30 ms: no response yet/,
  );
});

it('rejects with the error of the condition', async () => {
  await assert.rejects(
    until(() => {
      throw new Error('broken');
    }),
    /broken/,
  );
});

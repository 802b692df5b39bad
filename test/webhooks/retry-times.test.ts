import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRetryAfter } from '../../src/shared/retry-after.ts';
import { retryDelay } from '../../src/webhooks/retry-times.ts';
import { fc } from '../support/seed.ts';

const HOUR = 3_600_000;

describe('retries', () => {
  it('are nine, over 75 hours and a half without jitter', () => {
    const delays = Array.from({ length: 9 }, (_, index) => retryDelay(index + 1, undefined, 0.5) ?? 0);
    assert.ok(delays.every((delay) => delay > 0));
    assert.equal(
      delays.reduce((sum, delay) => sum + delay, 0),
      75 * HOUR + 35 * 60_000 + 5_000,
    );
    assert.equal(retryDelay(10, undefined, 0.5), undefined);
  });

  it('vary by a tenth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failures, random) => {
          const usual = retryDelay(failures, undefined, 0.5) ?? 0;
          const delay = retryDelay(failures, undefined, random) ?? 0;
          assert.ok(delay >= 0.9 * usual - 1 && delay <= 1.1 * usual + 1);
        },
      ),
    );
  });

  it('wait as long as Retry-After says, up to a day, but not less than usual', () => {
    assert.equal(retryDelay(1, HOUR, 0.5), HOUR);
    assert.equal(retryDelay(1, 100 * HOUR, 0.5), 24 * HOUR);
    assert.equal(retryDelay(4, 1000, 0.5), 2 * HOUR);
  });

  it('read Retry-After as seconds or a date', () => {
    const now = Date.UTC(2026, 0, 1);
    assert.equal(parseRetryAfter('120', now), 120_000);
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60_000);
    assert.equal(parseRetryAfter('Wed, 31 Dec 2025 00:01:00 GMT', now), 0);
    for (const header of [undefined, '', 'soon', '-1'])
      assert.equal(parseRetryAfter(header, now) || undefined, undefined);
  });
});

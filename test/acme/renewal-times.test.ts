import assert from 'node:assert/strict';
import { it } from 'node:test';
import { renewalTime, retryDelay } from '../../src/acme/renewal-times.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

it('a certificate is renewed after two thirds of its lifetime, on days that differ between installations', () => {
  const lifetime = { validFrom: 0, validTo: 90 * DAY_MS };
  assert.equal(renewalTime(lifetime, 0), 60 * DAY_MS);
  assert.equal(renewalTime(lifetime, 1), 63 * DAY_MS);
});

it('tries are further apart after each failure, and never sooner than the authority allows', () => {
  const minutes = (fault: 'refused' | 'unreachable', retryAfterMs: number | null = null): number[] =>
    [1, 2, 3, 8, 100].map((failures) => retryDelay({ fault, retryAfterMs }, failures, 0) / MINUTE_MS);
  assert.deepEqual(minutes('unreachable'), [1, 2, 4, 60, 60]);
  // Let's Encrypt allows five failed checks of a host in an hour.
  assert.deepEqual(minutes('refused'), [15, 30, 60, 720, 720]);
  assert.deepEqual(minutes('refused', 45 * MINUTE_MS), [45, 45, 60, 720, 720]);
  assert.equal(retryDelay({ fault: 'unreachable', retryAfterMs: null }, 1, 1), 1.25 * MINUTE_MS);
});

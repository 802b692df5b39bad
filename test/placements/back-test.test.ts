import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../../src/demo/random.ts';
import { seed } from '../support/seed.ts';
import { type BackTestResult, newMarket, playDays } from './back-test.ts';

const DAYS = { start: Date.UTC(2026, 5, 15), days: 6, warmUp: 3 };

describe('on generated traffic with a known demand', () => {
  const play = (seed: number): { byBid: BackTestResult; withQuality: BackTestResult } => {
    const market = newMarket(new Random(seed));
    const playWith = (hasQuality: boolean): BackTestResult =>
      playDays(market, { ...DAYS, random: new Random(seed + 1), hasQuality });
    return { byBid: playWith(false), withQuality: playWith(true) };
  };

  it('nobody pays more than its bid, and even pacing delivers in every hour in which there was traffic', () => {
    for (const { mispriced, silentHours, requests, placements } of Object.values(play(seed))) {
      assert.equal(mispriced, 0);
      assert.deepEqual(silentHours, []);
      assert.ok(placements > 0.9 * requests, `${placements} placements in ${requests} requests`);
    }
  });

  it('ranking with quality brings more orders than ranking by bid', (t) => {
    // Always the same market: the ratio depends on it.
    const { byBid, withQuality } = play(1);
    assert.equal(byBid.requests, withQuality.requests);
    const ratio = (of: 'orders' | 'sales' | 'spend'): number => withQuality[of] / byBid[of];
    const stated = (['orders', 'sales', 'spend'] as const).map((of) => `${of} ${ratio(of).toFixed(2)}`);
    t.diagnostic(`with quality ÷ by bid, of ${byBid.requests} requests each: ${stated.join(', ')}`);
    assert.ok(ratio('orders') > 1.03, stated.join());
  });
});

import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import type { AdPacing } from '../../src/config.ts';
import { Pacing } from '../../src/placements/pacing/pacing.ts';
import { deleteOldRequestHours, readHistories } from '../../src/placements/pacing/request-counts.ts';
import { forEachEngine } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Advertiser } from './placements-support.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const REQUEST = { key: 'k', currency: 'USD' };

forEachEngine((engine) => {
  const service = useService(engine);
  const running: Pacing[] = [];
  let clock = 0;

  afterEach(async () => {
    for (const pacing of running.splice(0)) await pacing.close();
  });

  function startPacing(pacing: AdPacing = 'even', database = service().database): Pacing {
    const started = new Pacing({ database, pacing, now: () => clock, onError: () => {}, pollMs: 20 });
    started.start();
    running.push(started);
    return started;
  }

  /** A campaign with a daily budget of 1, at noon of the present day. */
  async function openAtNoon(): Promise<{ advertiser: Advertiser; isPaced: (pacing: Pacing) => boolean }> {
    const advertiser = await Advertiser.open(service(), { daily_budget: 1, bid_amount: 1 });
    clock = Math.floor(service().now() / DAY_MS) * DAY_MS + 12 * HOUR_MS;
    const campaign = { merchantId: advertiser.merchant.id, campaignId: advertiser.campaign, bid: 100 };
    const isPaced = (pacing: Pacing): boolean => {
      const { used, limit } = pacing.paceOf(campaign, REQUEST) ?? { used: 0, limit: 0 };
      return used > limit;
    };
    return { advertiser, isPaced };
  }

  /** Waits while the clock goes on, so that everything is read again. */
  async function passing(condition: () => boolean): Promise<void> {
    await until(() => {
      clock += 2_000;
      return condition();
    });
  }

  it('learns what other processes reserve, and follows the budget', async () => {
    const { advertiser, isPaced } = await openAtNoon();
    const pacing = startPacing();
    assert.equal(isPaced(pacing), false);
    await advertiser.reserve(0.9);
    await passing(() => isPaced(pacing));
    await advertiser.change('update', { daily_budget: 10 });
    await passing(() => !isPaced(pacing));
  });

  it('learns at once what its own process reserves, and begins again on the next day', async () => {
    const { advertiser, isPaced } = await openAtNoon();
    const day = new Date(clock).toISOString().slice(0, 10);
    const pacing = startPacing();
    const key = { merchantId: advertiser.merchant.id, campaignId: advertiser.campaign };
    await until(() => {
      isPaced(pacing);
      pacing.learn(key, { day, used: 9_000 });
      return isPaced(pacing);
    });
    pacing.learn(key, { day: '2000-01-01', used: 0 });
    assert.equal(isPaced(pacing), true);
    pacing.learn(key, { day, used: 100 });
    assert.equal(isPaced(pacing), false);
    pacing.learn(key, { day, used: 9_000 });
    clock += DAY_MS;
    assert.equal(isPaced(pacing), false);
  });

  it('never lets a campaign sit out if pacing is fast', async () => {
    const { advertiser, isPaced } = await openAtNoon();
    await advertiser.reserve(0.9);
    const [even, fast] = [startPacing('even'), startPacing('fast')];
    await passing(() => isPaced(even));
    assert.equal(isPaced(fast), false);
  });

  it('counts the requests of all processes, also over a failure of the database, and forgets old ones', async () => {
    // The present: the service deletes older counts at its start.
    clock = service().now();
    const before = clock + DAY_MS;
    const failing = new FailingDatabase();
    const [one, other] = [startPacing('even', failing.wrap(service().database)), startPacing()];
    for (let request = 0; request < 30; request++) one.count('SEK');
    failing.failure = new Error('away');
    await one.close();
    failing.failure = undefined;
    one.count('SEK');
    other.count('SEK');
    await one.close();
    await other.close();
    const hour = (histories: Awaited<ReturnType<typeof readHistories>>): number[] | undefined =>
      histories.get('SEK')?.expected([clock + DAY_MS], before);
    // Each hour gets a twentieth of the average of all, which is this one.
    assert.deepEqual(hour(await readHistories(service().database, clock)), [32 * 1.05]);
    await deleteOldRequestHours(service().database, clock + 15 * DAY_MS);
    assert.notEqual(hour(await readHistories(service().database, clock)), undefined);
    await deleteOldRequestHours(service().database, clock + 17 * DAY_MS);
    assert.equal(hour(await readHistories(service().database, clock)), undefined);
  });
});

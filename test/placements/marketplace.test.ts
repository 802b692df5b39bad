import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { Pacing } from '../../src/placements/pacing/pacing.ts';
import { Auction } from '../../src/placements/reserve/auction.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { Followers } from './follow-support.ts';
import { Marketplace } from './marketplace.ts';

const MIN_ROUNDS = runs(30);
const MAX_ROUNDS = 200;
const REQUESTS = 15;
/** What has to happen before the test ends. */
const WANTED = [
  ...['placed', 'unfilled', 'second price', 'outbid', 'paused', 'out_of_stock', 'no_bid', 'below_floor'],
  ...['daily_budget', 'daily_budget_per_product', 'lifetime_budget', 'lifetime_budget_per_product'],
  ...['max_daily_schedules', 'over_max_per_merchant'],
];

forEachEngine((engine) => {
  const service = useService(engine);

  it('a random marketplace gives the places that the model gives, at its prices, within all budgets', async () => {
    const random = newRandom();
    const { database } = service();
    const now = (): number => service().now();
    const onError = (error: unknown): void => assert.fail(String(error));
    const marketplace = await Marketplace.open(service(), random);
    const recorder = new DiagnosisRecorder(database, onError);
    const pacing = new Pacing({ database, pacing: 'fast', now, onError });
    const hourly = { count: () => {} };
    const seen = new Set<string>();
    for (let round = 1; round <= MIN_ROUNDS || WANTED.some((outcome) => !seen.has(outcome)); round++) {
      assert.ok(round <= MAX_ROUNDS, `never: ${WANTED.filter((outcome) => !seen.has(outcome)).join(', ')}`);
      await marketplace.change();
      const followers = new Followers();
      const follower = await followers.open(service());
      const auction = new Auction({
        database,
        now,
        follower,
        pacing,
        recorder,
        hourly,
        pricing: 'second',
        floor: 0,
      });
      for (let request = 1; request <= REQUESTS; request++) {
        const asked = marketplace.newRequest();
        const expected = marketplace.decide(asked.request);
        const [result] = await auction.place([asked.sent]);
        assert.ok(result !== undefined);
        const placements = result.placements.map(({ placement_id: _, expires_at: __, ...rest }) => rest);
        const what = `round ${round}, ${JSON.stringify(asked.sent)}`;
        assert.deepEqual(placements, expected.placements, what);
        assert.equal(result.unfilled, expected.unfilled);
        // Whoever sits out because of a spent budget has lost before others are counted.
        assert.equal(sum(result.losers), sum(expected.losers), what);
        marketplace.note(result);
        for (const reason of Object.keys(expected.losers)) seen.add(reason);
        if (placements.length > 0) seen.add('placed');
        if (result.unfilled > 0) seen.add('unfilled');
        if (placements.some(({ bid, price }) => price < bid)) seen.add('second price');
      }
      await followers.close();
      await marketplace.report();
    }
    await pacing.close();
    await recorder.flush();
  });
});

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

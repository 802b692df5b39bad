import assert from 'node:assert/strict';
import { afterEach, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import type { CompetitionFollower } from '../../src/placements/follow/competition-follower.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { beforeProducts, ChangingMarket, candidatesOf, Followers, standingsOf } from './follow-support.ts';
import { Advertiser } from './placements-support.ts';

/** More than one page. */
const MANY = 600;
/** After that, a process that has not followed is not complete. */
const STALE_MS = 5_000;
const CHANGES = 25;
/** Pages of products that are read slowly. */
const SLOW_PAGES = 12;
/** About as long as the changes of a round take. */
const MAX_PAUSE_MS = 400;

forEachEngine((engine) => {
  // Keys of suspended merchants are rejected, any number of them.
  const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });
  const followers = new Followers();
  afterEach(() => followers.close());

  const open = async (products: number): Promise<Advertiser> => {
    const advertiser = await Advertiser.open(service(), { bid_amount: 1 });
    const drafts = Array.from({ length: products }, (_, index) =>
      draft(`P-${index}`, { campaign_name: 'Spring sale' }),
    );
    await importDrafts(service(), advertiser.merchant, [drafts]);
    return advertiser;
  };
  /** Sets what the operator says of a merchant. Another currency or time zone makes it be loaded again. */
  const put = async ({ merchant, operatorToken }: Advertiser, json: object): Promise<void> => {
    const response = await service().operator('PUT', `/merchants/${merchant.id}`, operatorToken, { json });
    assert.equal(response.status, 200, response.text);
  };
  const bidsOf = (follower: CompetitionFollower, { merchant }: Advertiser): number[] =>
    candidatesOf(follower)
      .filter(({ merchantId }) => merchantId === merchant.id)
      .map(({ bid }) => bid);

  /** A follower that stops each time before it reads the second page of an advertiser's products. */
  async function openStopping({ merchant }: Advertiser) {
    let gate = Promise.resolve();
    let pages = 0;
    let skippedMs = 0;
    const database = beforeProducts(service().database, async (merchantId) => {
      if (merchantId !== merchant.id) return;
      pages += 1;
      if (pages % 2 === 0) await gate;
    });
    const clock = (): number => performance.now() + skippedMs;
    const follower = await followers.open({ database }, { clock });
    const close = (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      pages = 0;
      return resolve;
    };
    const skip = (): void => {
      skippedMs += STALE_MS + 1_000;
    };
    return { follower, close, skip, isStopped: () => pages === 2 };
  }

  // The first test: it knows all merchants of the service.
  it('keeps who competes equal to the database while merchants are read slowly', async () => {
    const random = newRandom();
    const market = new ChangingMarket(service(), random, await service().newOperatorToken());
    let slow = 0;
    const database = beforeProducts(service().database, async () => {
      if (!random.chance(0.3)) return;
      slow += 1;
      await pause(random.whole(1, MAX_PAUSE_MS));
    });
    const follower = await followers.open({ database });
    while (slow < SLOW_PAGES) {
      for (let change = 0; change < CHANGES; change++) await market.change();
      let [actual, expected]: object[] = [];
      const isEqual = async (): Promise<boolean> => {
        expected = await market.expected();
        actual = standingsOf(follower.competition);
        return JSON.stringify(actual) === JSON.stringify(expected);
      };
      await until(isEqual, {
        intervalMs: 100,
        message: () => JSON.stringify({ actual, expected }, null, 1),
      });
    }
  });

  it('a merchant that is read again competes with all of its products or not at all, and delays no other', async () => {
    const [large, other] = [await open(MANY), await open(2)];
    const { follower, close, skip, isStopped } = await openStopping(large);
    assert.deepEqual([bidsOf(follower, large).length, bidsOf(follower, other).length], [MANY, 2]);
    const go = close();
    await put(large, { currency: 'EUR' });
    await until(isStopped);
    assert.deepEqual(bidsOf(follower, large), []);
    assert.ok(follower.currencies.has('EUR'), 'it is unknown that requests need a currency');
    for (const bid of [2, 3]) {
      await other.change('update', { bid_amount: bid });
      await until(() => bidsOf(follower, other).join() === `${bid}0000,${bid}0000`);
      skip();
      assert.equal(follower.isComplete(), false);
      await until(() => follower.isComplete());
    }
    // The first is of the page that was read, and the last of the page that was not.
    const renamed = ['P-0', 'P-599'].map((name) => draft(name, { campaign_name: 'Summer sale' }));
    await importDrafts(service(), large.merchant, [
      renamed,
      [draft('NEW', { campaign_name: 'Spring sale' })],
    ]);
    await large.change('update', { bid_amount: 4 });
    await other.change('update', { bid_amount: 5 });
    await until(() => bidsOf(follower, other).join() === '50000,50000');
    assert.deepEqual(bidsOf(follower, large), []);
    go();
    const expected = Array.from({ length: MANY - 1 }, () => 40_000).join();
    const isThere = (): boolean => {
      const bids = bidsOf(follower, large).join();
      assert.ok(bids === '' || bids === expected, bids);
      return bids !== '';
    };
    await until(isThere, { intervalMs: 1 });
    const fresh = await followers.open(service());
    assert.deepEqual(standingsOf(follower.competition), standingsOf(fresh.competition));
  });

  it('a merchant that is suspended, or changes again, while it is read has its newest state afterwards', async () => {
    const large = await open(MANY);
    const { follower, close, isStopped } = await openStopping(large);
    for (const changes of [
      [{ currency: 'EUR' }, { currency: 'JPY' }],
      [{ currency: 'USD' }, { state: 'suspended' }],
      [{ time_zone: 'Asia/Tokyo' }, { state: 'active' }],
    ]) {
      const go = close();
      const [first = {}, second = {}] = changes;
      await put(large, first);
      await until(isStopped);
      await put(large, second);
      go();
      const fresh = await followers.open(service());
      const expected = JSON.stringify(standingsOf(fresh.competition));
      await until(() => JSON.stringify(standingsOf(follower.competition)) === expected);
    }
    assert.equal(bidsOf(follower, large).length, MANY);
  });

  it('a merchant that cannot be read is tried again, and keeps no other from competing', async () => {
    const [broken, other] = [await open(2), await open(2)];
    let failures = 0;
    const errors: unknown[] = [];
    const failure = new DatabaseUnavailable('the node does not respond');
    let isBroken = false;
    const database = beforeProducts(service().database, async (merchantId) => {
      if (!isBroken || merchantId !== broken.merchant.id) return;
      failures += 1;
      throw failure;
    });
    const follower = await followers.open({ database }, { onError: (error) => errors.push(error) });
    isBroken = true;
    await put(broken, { currency: 'EUR' });
    await until(() => failures === 3);
    await other.change('update', { bid_amount: 2 });
    await until(() => bidsOf(follower, other).join() === '20000,20000');
    assert.deepEqual([bidsOf(follower, broken).length, follower.isComplete()], [0, true]);
    assert.deepEqual(errors, [failure]);
    isBroken = false;
    await until(() => bidsOf(follower, broken).length === 2);
  });

  it('a process is complete when every merchant has been read once, and reads no merchant twice for that', async () => {
    const [late, other] = [await open(2), await open(2)];
    const { promise: gate, resolve: go } = Promise.withResolvers<void>();
    const reads = { late: 0, other: 0 };
    const database = beforeProducts(service().database, async (merchantId) => {
      if (merchantId === other.merchant.id) reads.other += 1;
      if (merchantId !== late.merchant.id) return;
      reads.late += 1;
      if (reads.late < 3) throw new DatabaseUnavailable('the node does not respond');
      await gate;
    });
    const follower = followers.create({ database });
    follower.start();
    await until(() => reads.late === 3);
    assert.deepEqual([follower.isComplete(), bidsOf(follower, late).length], [false, 0]);
    go();
    await until(() => follower.isComplete());
    assert.deepEqual([bidsOf(follower, late).length, bidsOf(follower, other).length], [2, 2]);
    assert.deepEqual(reads, { late: 3, other: 1 });
  });

  it('three merchants are read at a time', async () => {
    const advertisers: Advertiser[] = [];
    while (advertisers.length < 7) advertisers.push(await open(1));
    const ids = new Set(advertisers.map(({ merchant }) => merchant.id));
    const waiting: (() => void)[] = [];
    let isGated = false;
    const database = beforeProducts(service().database, async (merchantId) => {
      if (isGated && ids.has(merchantId)) await new Promise<void>((resolve) => waiting.push(resolve));
    });
    const follower = await followers.open({ database });
    isGated = true;
    for (const advertiser of advertisers) await put(advertiser, { currency: 'EUR' });
    for (const begun of [3, 3, 1]) {
      await until(() => waiting.length >= begun);
      assert.equal(waiting.length, begun);
      for (const go of waiting.splice(0)) go();
    }
    const count = (): number => advertisers.flatMap((advertiser) => bidsOf(follower, advertiser)).length;
    await until(() => count() === advertisers.length);
  });

  it('stops in the middle of a load when the process stops', async () => {
    const large = await open(MANY);
    const { follower, close, isStopped } = await openStopping(large);
    const go = close();
    await put(large, { currency: 'EUR' });
    await until(isStopped);
    const closing = follower.close();
    go();
    await closing;
    assert.deepEqual(bidsOf(follower, large), []);
  });
});

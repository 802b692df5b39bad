import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slotIn } from '../../src/campaigns/schedule-slots.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import type { Candidate } from '../../src/placements/decide/ranking.ts';
import { CallPaces } from '../../src/placements/pacing/paces.ts';
import { lockProductDays } from '../../src/placements/record/lock-product-days.ts';
import { MerchantIds, type SentReference } from '../../src/placements/reserve/merchant-ids.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Advertiser, reservePlaces, type Won } from './placements-support.ts';

const HOUR_MS = 60 * 60 * 1000;
const countWaiting = statement<unknown, { waiting: number }>(
  `SELECT count(*) AS waiting FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  /** An advertiser whose VASE is in the campaign. */
  async function open(budgets: Record<string, number>, fields: object = {}): Promise<Advertiser> {
    const advertiser = await Advertiser.open(service(), budgets);
    await join(advertiser, fields);
    return advertiser;
  }

  async function join({ merchant }: Advertiser, fields: object): Promise<void> {
    const vase = draft('VASE', { campaign_name: 'Spring sale', available_quantity: 9, ...fields });
    await importDrafts(service(), merchant, [[vase]]);
  }

  /** Whether places were reserved, or why they were not, if memory knows bids one cent above the prices. */
  async function reserve(
    { merchant, campaign }: Advertiser,
    places: readonly Omit<Won, 'campaign' | 'product'>[],
    limit = Number.POSITIVE_INFINITY,
  ): Promise<string[]> {
    const won = places.map((place) => ({ campaign, product: 1, ...place }));
    const results = await reservePlaces(service(), merchant, won, { limits: { [campaign]: limit } });
    return results.map((result) => (typeof result === 'string' ? 'reserved' : result.loss));
  }

  describe('a reservation', () => {
    it('charges nobody more than the present bid, whatever memory knows', async () => {
      const advertiser = await open({ bid_amount: 0.5 });
      const place = { price: 49 };
      assert.deepEqual(await reserve(advertiser, [place]), ['reserved']);
      await advertiser.change('update', { bid_amount: 0.49 });
      assert.deepEqual(await reserve(advertiser, [place, { price: 48 }]), ['outbid', 'reserved']);
      await advertiser.change('update', { bid_amount: 0.6 });
      assert.deepEqual(await reserve(advertiser, [place]), ['reserved']);
    });

    it('the same for bids of products, and for a campaign that gets or loses a bid', async () => {
      const advertiser = await open({}, { scheduling_fee_bid: 0.5 });
      const [high, low] = [49, 29].map((price) => ({ price, isCampaignBid: false }));
      assert.ok(high !== undefined && low !== undefined);
      assert.deepEqual(await reserve(advertiser, [high]), ['reserved']);
      await join(advertiser, { scheduling_fee_bid: 0.3 });
      assert.deepEqual(await reserve(advertiser, [high, low]), ['outbid', 'reserved']);
      assert.deepEqual(await reserve(advertiser, [{ ...high, isCampaignBid: true }]), ['outbid']);
      await join(advertiser, { scheduling_fee_bid: null });
      assert.deepEqual(await reserve(advertiser, [low]), ['no_bid']);
      await advertiser.change('update', { bid_amount: 0.2 });
      assert.deepEqual(await reserve(advertiser, [low, { ...low, price: 19 }]), ['outbid', 'reserved']);
    });

    it('counts a maximum of a day that memory does not know, also for the second product of a campaign', async () => {
      const advertiser = await open({ bid_amount: 0.5 }, { max_daily_schedules: 1 });
      const bowl = draft('BOWL', {
        campaign_name: 'Spring sale',
        available_quantity: 9,
        max_daily_schedules: 2,
      });
      await importDrafts(service(), advertiser.merchant, [[bowl]]);
      const place = { price: 10 };
      const other = { campaign: advertiser.campaign, product: 2, price: 10 };
      const won = [other, ...[1, 1, 2, 2].map((product) => ({ ...other, product }))];
      const results = await reservePlaces(service(), advertiser.merchant, won);
      const refused = { loss: 'max_daily_schedules' };
      assert.deepEqual(
        results.map((result) => (typeof result === 'string' ? 'reserved' : result)),
        ['reserved', 'reserved', refused, 'reserved', refused],
      );
      await join(advertiser, { max_daily_schedules: 2 });
      assert.deepEqual(await reserve(advertiser, [place, place]), ['reserved', 'max_daily_schedules']);
    });

    // On SQLite, one transaction runs at a time.
    if (engine.name === 'postgres')
      it('charges nobody more than the bid after a wait for the other placements of the product', async () => {
        const fields = { max_daily_schedules: 5 };
        const advertiser = await open({}, { ...fields, scheduling_fee_bid: 0.5 });
        const { database, now } = service();
        const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const { id: merchantId } = advertiser.merchant;
        const day = new Date(now()).toISOString().slice(0, 10);
        const others = database.transaction(
          async (connection) => {
            await lockProductDays(connection, [{ merchantId, productId: 1, day }]);
            locked.resolve();
            await release.promise;
          },
          { merchantId },
        );
        await locked.promise;
        const reserving = reserve(advertiser, [{ price: 49, isCampaignBid: false }]);
        await until(async () => (await database.first(countWaiting))?.waiting === 1);
        await join(advertiser, { ...fields, scheduling_fee_bid: 0.3 });
        release.resolve();
        await others;
        assert.deepEqual(await reserving, ['outbid']);
      });

    it('lets a paced campaign sit out as soon as its places of the same call are over its share', async () => {
      const advertiser = await open({ bid_amount: 0.5, daily_budget: 100 });
      const places = Array.from({ length: 6 }, () => ({ price: 10 }));
      const three = ['reserved', 'reserved', 'reserved'];
      assert.deepEqual(await reserve(advertiser, places, 2_500), [...three, 'paced', 'paced', 'paced']);
      assert.deepEqual(await reserve(advertiser, places, 3_000), ['reserved', ...Array(5).fill('paced')]);
    });

    it('gives a campaign no place in a slot of its hourly schedule with 0, by the time of the reservation', async () => {
      const advertiser = await Advertiser.open(service(), { timeZone: 'Asia/Kathmandu' });
      const slot = slotIn('Asia/Kathmandu')(service().now());
      await advertiser.change('update', { [`hourly_schedule[${slot}]`]: 0 });
      await assert.rejects(advertiser.reserve(0.25), /not reserved: .*paused/);
      service().passTime(3 * HOUR_MS);
      await advertiser.reserve(0.25);
      await advertiser.change('update', { [`hourly_schedule[${(slot + 1) % 8}]`]: 0 });
      await assert.rejects(advertiser.reserve(0.25), /not reserved: .*paused/);
    });
  });

  describe('the merchants and products that requests name', () => {
    it('are looked up together for a call, a few merchants at a time', async () => {
      const { database, now } = service();
      let [running, most, lookups] = [0, 0, 0];
      const counted = intercept(database, {
        all: async (...call) => {
          lookups += 1;
          most = Math.max(most, ++running);
          try {
            return await database.all(...call);
          } finally {
            running -= 1;
          }
        },
      });
      const merchants = await Promise.all(Array.from({ length: 25 }, () => service().newMerchant()));
      for (const merchant of merchants) await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
      const names = merchants.map(({ id }) => String(id));
      const of = (merchant: string, identifier: string | null): SentReference => ({ merchant, identifier });
      const requests = Array.from({ length: 40 }, () =>
        names.flatMap((name) => [of(name, 'A'), of(name, 'B')]),
      );
      const found = await new MerchantIds({ database: counted, now }).find([
        ...requests.flat(),
        of('nobody', 'A'),
      ]);
      assert.deepEqual([lookups, most <= 10], [1 + merchants.length, true]);
      const [one, other] = merchants;
      assert.ok(one !== undefined && other !== undefined);
      const [first, second] = [String(one.id), String(other.id)];
      assert.deepEqual(
        found.of([of(first, 'B'), of(first, 'B'), of(second, null), of(first, 'none'), of('nobody', 'A')]),
        [
          { merchantId: one.id, productId: 2 },
          { merchantId: other.id, productId: null },
        ],
      );
      assert.deepEqual(found.products([of(second, null), of(second, 'A')]), [
        { merchantId: other.id, productId: 1 },
      ]);
    });
  });
});

describe('the paces of a call', () => {
  it('count what earlier requests of the call would get', () => {
    const pacing = { paceOf: () => ({ used: 0, limit: 150 }) };
    const call = new CallPaces(pacing);
    const candidate: Candidate = {
      ...{ merchantId: 1, campaignId: 'c', productId: 1, bid: 100, isCampaignBid: true, quality: 1 },
      ...{ score: 1, merchantTurn: 0, campaignTurn: 0, productTurn: 0, maxDailySchedules: null },
    };
    const [first, second, third] = ['a', 'b', 'c'].map((key) => call.of({ key, currency: 'USD' }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    assert.equal(first.isPaced(candidate), false);
    first.take(candidate, 100);
    assert.equal(second.isPaced(candidate), false);
    second.take(candidate, 100);
    assert.equal(second.isPaced(candidate), true);
    assert.deepEqual(second.ofAll([candidate]), { sittingOut: [], limits: { c: 150 } });
    assert.equal(third.isPaced(candidate), true);
    assert.deepEqual(third.ofAll([candidate]), { sittingOut: ['c'], limits: {} });
  });
});

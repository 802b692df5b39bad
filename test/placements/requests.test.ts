import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { RequestRecord } from '../../src/placements/reserve/auction.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { type Bidder, Market } from './market-support.ts';

const winnersOf = ({ placements }: RequestRecord): string[] =>
  placements.map(({ merchant, product_identifier }) => `${merchant} ${product_identifier}`);
const sum = (prices: readonly number[]): number =>
  Math.round(prices.reduce((one, other) => one + other, 0) * 100) / 100;

forEachEngine((engine) => {
  const service = useService(engine, { pollMs: 50 });

  describe('POST /placements', () => {
    it('gives a place to the highest bid, for what was needed to win it', async () => {
      const market = await Market.open(service());
      const low = await market.bidder({ bid_amount: 0.3 });
      const high = await market.bidder({ bid_amount: 0.5 });
      const { placements, unfilled, losers } = await market.ask();
      const { placement_id, expires_at, ...rest } = placements[0] ?? assert.fail();
      assert.deepEqual(rest, {
        merchant: String(high.merchant.id),
        product_identifier: 'VASE',
        campaign_id: high.campaign,
        bid: 0.5,
        price: 0.3,
      });
      assert.deepEqual([placements.length, unfilled, losers], [1, 0, { outbid: 1 }]);
      const [line] = await market.placementsOf(high);
      assert.deepEqual(
        [line?.placement_id, line?.state, line?.price, line?.bid, line?.expires_at],
        [placement_id, 'reserved', 0.3, 0.5, expires_at],
      );
      assert.deepEqual(await market.placementsOf(low), []);
    });

    it('counts any bid above a million as a million, however large the number is', async () => {
      const market = await Market.open(service());
      const low = await market.bidder({ bid_amount: 0.5 });
      const bidders: Bidder[] = [];
      for (const _ of [1e300, 1e16, 2e14]) bidders.push(await market.bidder({ bid_amount: 0.4 }));
      for (const [index, bid_amount] of [1e300, 1e16, 2e14].entries()) {
        const { merchant, campaign } = bidders[index] ?? assert.fail();
        await market.call(merchant, '/campaigns/update', { internal_id: campaign, bid_amount });
      }
      const asked = { count: 4, max_per_merchant: 1 };
      await until(async () => (await market.ask({ ...asked, floor: 1_000_000 })).placements.length === 3);
      const { placements } = await market.ask(asked);
      const million = [1_000_000, 1_000_000];
      assert.deepEqual(
        placements.map(({ bid, price }) => [bid, price]),
        [million, million, [1_000_000, 0.5], [0.5, 0.01]],
      );
      assert.equal(placements.at(-1)?.merchant, String(low.merchant.id));
    });

    it('fills the places behind products that could pay a little, but not the price', async () => {
      const market = await Market.open(service());
      const products = Array.from({ length: 80 }, (_, index) => `P-${index}`);
      await market.bidder({ bid_amount: 2, daily_budget_per_product: 1 }, { products });
      const other = await market.bidder({ bid_amount: 1.2 }, { products: ['A', 'B', 'C'] });
      await market.bidder({ bid_amount: 1.1 });
      const of = String(other.merchant.id);
      const winners = winnersOf(await market.ask({ count: 3 }));
      assert.deepEqual(winners.sort(), [`${of} A`, `${of} B`, `${of} C`]);
    });

    it('returns the same placements for the same key, and reserves nothing again', async () => {
      const market = await Market.open(service());
      const bidder = await market.bidder({ bid_amount: 0.5 });
      const key = randomUUID();
      const first = await market.ask({ key, count: 2 });
      assert.equal(first.unfilled, 1);
      assert.deepEqual(await market.ask({ key, count: 1, floor: 1 }), first);
      const together = await market.askAll([{ key }, { key: `new${key}` }, { key: `new${key}` }]);
      assert.deepEqual(together[0], first);
      assert.deepEqual(together[1], together[2]);
      const atOnce = await Promise.all(Array.from({ length: 5 }, () => market.ask({ key: `once${key}` })));
      for (const each of atOnce) assert.deepEqual(each, atOnce[0]);
      assert.equal((await market.placementsOf(bidder)).length, 3);
    });

    it('lets only those compete whom the request admits', async () => {
      const market = await Market.open(service());
      const one = await market.bidder({ bid_amount: 0.5 }, { products: ['A', 'B', 'C'] });
      const other = await market.bidder({ bid_amount: 0.3 }, { products: ['D'] });
      const [first, second] = [one, other].map(({ merchant }) => String(merchant.id));
      const a = `${first} A`;
      const cases: [string, object, string[]][] = [
        [
          'a limit for each merchant',
          {
            max_per_merchant: 1,
            exclude: [
              { merchant: first, identifier: 'B' },
              { merchant: first, identifier: 'C' },
            ],
          },
          [a, `${second} D`],
        ],
        [
          'a limit for each campaign',
          {
            max_per_campaign: 1,
            products: [
              { merchant: first, identifier: 'A' },
              { merchant: first, identifier: 'A' },
              { merchant: second, identifier: 'D' },
            ],
          },
          [a, `${second} D`],
        ],
        [
          'products',
          {
            products: [
              { merchant: first, identifier: 'A' },
              { merchant: 'nobody', identifier: 'A' },
              { merchant: first, identifier: 'none' },
            ],
          },
          [a],
        ],
        ['an excluded merchant', { exclude: [{ merchant: first }] }, [`${second} D`]],
        [
          'a floor',
          { floor: 0.31, exclude: ['B', 'C'].map((identifier) => ({ merchant: first, identifier })) },
          [a],
        ],
        ['a type', { type: 'BannerCampaign' }, []],
        ['a currency', { currency: 'EUR' }, []],
        ['a category', { category: 'Another' }, []],
      ];
      for (const [what, asked, winners] of cases)
        assert.deepEqual(winnersOf(await market.ask({ count: 5, ...asked })), winners, what);
    });

    it('refuses least prices and IDs that cannot be stored, and says which', async () => {
      const market = await Market.open(service());
      await market.compete(0);
      const id = { merchant: 'm', identifier: 'A' };
      const text = 'in valid UTF-8 without NUL characters';
      const cases: [object, field: string, reason: string][] = [
        [{ floor: 1e308 }, 'floor', 'expected an amount from 0 to 1000000, such as 0.05, not "1e+308"'],
        [
          { floor: 1_000_000.01 },
          'floor',
          'expected an amount from 0 to 1000000, such as 0.05, not "1000000.01"',
        ],
        [
          { products: [id, { merchant: 'a\0', identifier: 'A' }] },
          'products',
          `expected text of 1 to 1000 characters in [1][merchant], ${text}`,
        ],
        [
          { exclude: [{ merchant: 'm', identifier: '\ud800' }] },
          'exclude',
          `expected text of 1 to 1000 characters in [0][identifier], ${text}`,
        ],
        [
          { products: [{ merchant: 'm' }] },
          'products',
          'expected 1 to 500 objects with a merchant and an identifier',
        ],
      ];
      for (const [asked, field, reason] of cases) {
        const response = await market.post([{ key: randomUUID(), currency: 'USD', ...asked }]);
        assert.equal(response.status, 400, response.text);
        assert.deepEqual(response.json(), { message: `requests[0][${field}]: ${reason}.` });
      }
      const admitted = [{ floor: 1_000_000, exclude: [{ merchant: '🙂'.repeat(1_000), identifier: null }] }];
      assert.equal((await market.askAll(admitted)).length, 1);
    });

    it('never gives more places than the budgets cover, whoever asks at the same time', async () => {
      const market = await Market.open(service());
      const bidder = await market.bidder({ bid_amount: 0.1, daily_budget: 1 }, { products: ['A', 'B', 'C'] });
      const asked = { count: 3, floor: 0.05 };
      const results = await Promise.all(Array.from({ length: 20 }, () => market.ask(asked)));
      assert.equal(results.flatMap(winnersOf).length, 20);
      assert.equal(sum((await market.placementsOf(bidder)).map(({ price }) => price)), 1);
      assert.deepEqual((await market.ask()).losers, { daily_budget: 3 });
    });

    it('gives back what is released, and counts what is delivered', async () => {
      const market = await Market.open(service());
      const bidder = await market.bidder({ bid_amount: 0.4, lifetime_budget: 0.8 });
      const won = async (): Promise<string> =>
        (await market.ask({ floor: 0.4 })).placements[0]?.placement_id ?? assert.fail();
      const [first, second] = [await won(), await won()];
      assert.deepEqual((await market.ask({ floor: 0.4 })).losers, { lifetime_budget: 1 });
      await market.report(first, 'released');
      // The campaign sits out for some seconds after it was refused.
      await until(async () => (await market.ask({ floor: 0.4 })).placements.length === 1);
      await market.report(second, 'delivered');
      const [last] = (await market.placementsOf(bidder)).filter(({ state }) => state === 'reserved');
      await market.report(last?.placement_id ?? '', 'delivered');
      const campaign = await service().get('/campaigns/retrieve', bidder.merchant, {
        internal_id: bidder.campaign,
      });
      assert.equal(campaign.json<{ status: string }>().status, 'Lifetime Budget Exhausted');
    });

    it('gives no place after the response that pauses a campaign', async () => {
      const market = await Market.open(service());
      const bidder: Bidder = await market.bidder({ bid_amount: 0.5 });
      assert.equal((await market.ask()).unfilled, 0);
      await market.call(bidder.merchant, '/campaigns/pause', { internal_id: bidder.campaign });
      assert.deepEqual(await market.ask().then(({ unfilled, losers }) => [unfilled, losers]), [
        1,
        { paused: 1 },
      ]);
    });

    it('gives a product at most as many places a day as it may have', async () => {
      const market = await Market.open(service());
      await market.bidder({ bid_amount: 0.5 }, { fields: { max_daily_schedules: 2 } });
      const results = await Promise.all(Array.from({ length: 5 }, () => market.ask()));
      assert.equal(results.filter(({ unfilled }) => unfilled === 0).length, 2);
    });
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import type { CampaignFigures, CurrencyFigures } from '../../src/operator/campaigns/read-figures.ts';
import {
  deleteOldHourlyPlacements,
  HourlyPlacements,
} from '../../src/placements/hourly/hourly-placements.ts';
import { sumByHour } from '../../src/placements/hourly/queries.ts';
import { Market } from '../placements/market-support.ts';
import { forEachEngine } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function figuresOf(service: TestService, query = ''): Promise<CampaignFigures> {
  const token = await service.newOperatorToken(['campaigns']);
  const response = await service.operator('GET', `/campaigns/figures${query}`, token);
  assert.equal(response.status, 200, response.text);
  return response.json<CampaignFigures>();
}

async function figuresIn(service: TestService, currency: string, query = ''): Promise<CurrencyFigures> {
  const { currencies } = await figuresOf(service, query);
  return currencies.find((each) => each.currency === currency) ?? assert.fail(`nothing in ${currency}`);
}

forEachEngine((engine) => {
  describe('the figures of campaigns', () => {
    const service = useService(engine);

    it('are what requests reserved, by hour, category and price, without reading placements', async () => {
      const market = await Market.open(service());
      const { merchant } = await market.bidder({ bid_amount: 0.3 });
      await market.bidder({ bid_amount: 0.5 });
      await market.call(merchant, '/campaigns', { name: 'Paced', type: 'T', daily_budget: 48 });
      const { placements } = await market.ask({ count: 2 });
      assert.equal(placements.length, 2);
      const prices = placements.map(({ price }) => price);
      await until(async () => (await figuresOf(service())).currencies[0]?.placements === 2);
      const { currencies, at, since } = await figuresOf(service());
      const [usd = assert.fail()] = currencies;
      const spend = prices.reduce((sum, price) => sum + price, 0);
      assert.deepEqual([usd.currency, usd.active, usd.exhausted, usd.daily_budgets], ['USD', 3, 0, 48]);
      assert.equal(usd.spend, spend);
      assert.equal(usd.hours.length, 24);
      assert.equal(usd.hours[0]?.hour, since);
      assert.ok(at > since);
      const last = usd.hours.at(-1);
      assert.deepEqual([last?.placements, last?.spend], [2, spend]);
      assert.deepEqual(usd.categories, [{ category: market.category, placements: 2, spend }]);
      assert.deepEqual(
        usd.prices.flatMap(({ price, placements }) => Array<number>(placements).fill(price)),
        prices.toSorted((one, other) => one - other),
      );
      // Of 48 a day, without any history: the same in each hour.
      const planned = usd.hours.map((hour) => hour.planned);
      assert.ok(planned.every((amount) => amount > 0 && amount < 48));
      assert.equal(Math.round(planned.reduce((sum, amount) => sum + amount, 0)), 48);
    });

    it('are kept for a week, with up to 100 categories an hour', async () => {
      const { database } = service();
      const now = service().now();
      const hourly = new HourlyPlacements(database, (error) => assert.fail(String(error)));
      const awards = [{ price: 3_333 }, { price: 1_000 }] as never[];
      for (let category = 0; category < 102; category++)
        hourly.count({ currency: 'CHF', category: [`C${category}`, 'x'] }, { awards }, now - 2 * DAY_MS);
      for (const days of [3, 9])
        hourly.count({ currency: 'CHF', category: [] }, { awards }, now - days * DAY_MS);
      await hourly.flush();
      await hourly.flush();
      assert.equal(
        (await figuresOf(service())).currencies.every(({ currency }) => currency !== 'CHF'),
        true,
      );
      const week = await figuresIn(service(), 'CHF', '?hours=168');
      assert.equal(week.hours.length, 168);
      assert.equal(week.placements, 2 * 102 + 2);
      assert.equal(week.spend, (103 * 4_333) / 10_000);
      assert.equal(week.categories.length, 101);
      assert.deepEqual(week.categories[0]?.category, null);
      assert.deepEqual(
        week.prices.map(({ price }) => price),
        [0.1, 0.34],
      );
      const hoursOf = async () =>
        (await database.all(sumByHour, { since: 0 })).filter(({ currency }) => currency === 'CHF').length;
      assert.equal(await hoursOf(), 3);
      await deleteOldHourlyPlacements(database, now);
      assert.equal(await hoursOf(), 2);
    });

    it('are not lost while the database is away', async () => {
      const failing = new FailingDatabase();
      const errors: unknown[] = [];
      const hourly = new HourlyPlacements(failing.wrap(service().database), (error) => errors.push(error));
      const awards = [{ price: 5_000 }] as never[];
      const count = () => hourly.count({ currency: 'SEK', category: ['A'] }, { awards }, service().now());
      count();
      failing.failure = new DatabaseUnavailable('away');
      await hourly.flush();
      assert.equal(errors.length, 1);
      failing.failure = undefined;
      count();
      await hourly.flush();
      const { placements, spend, active } = await figuresIn(service(), 'SEK');
      assert.deepEqual([placements, spend, active], [2, 1, 0]);
    });

    it('400: more hours than are kept', async () => {
      const token = await service().newOperatorToken(['campaigns']);
      for (const hours of ['0', '169', 'x']) {
        const response = await service().operator('GET', `/campaigns/figures?hours=${hours}`, token);
        assert.equal(response.status, 400, hours);
      }
    });
  });
});

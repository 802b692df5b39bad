import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { monthlySales } from '../../src/sales/monthly-sales.ts';
import { listProductSales, type ProductSort, productSorts } from '../../src/sales/product-queries.ts';
import { productSales } from '../../src/sales/product-sales.ts';
import { comparisons, type DayRange, type SalesReport, type Unit, units } from '../../src/sales/report.ts';
import { salesReport } from '../../src/sales/sales-report.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import type { DaysSales } from '../../src/sales/sums.ts';
import { importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { scheduledProduct, schedulesAt, unusualZones } from '../support/schedule-arbitraries.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRODUCTS = ['A', 'a', 'É', 'B-1', 'C'];

interface Shop {
  zone: string;
  now: number;
  schedules: ScheduleDraft[];
}

/** What clocks in a zone show. */
function clockIn(zone: string): (time: number) => { day: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  });
  return (time) => {
    const [day = '', clock = ''] = format.format(time).split(' ');
    return { day, time: clock };
  };
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

/** `numerator` ÷ `denominator` with this number of decimals, rounded half-up; null without a denominator. */
function halfUp(numerator: number, denominator: number, decimals: number): number | null {
  if (denominator === 0) return null;
  const scaled = (BigInt(numerator) * 10n ** BigInt(decimals) * 2n) / BigInt(denominator);
  return Number((scaled + 1n) / 2n) / 10 ** decimals;
}

function expectedFigures(schedules: readonly ScheduleDraft[]): DaysSales {
  const sold = schedules.filter((one) => one.sold);
  const rated = sold.filter(({ rating }) => rating !== null);
  const total = sold.reduce((sum, { sale_price: price }) => sum + (price ?? 0), 0);
  const ratings = rated.reduce((sum, { rating }) => sum + (rating ?? 0), 0);
  return {
    schedules: schedules.length,
    sell_rate: halfUp(sold.length, schedules.length, 4),
    asp: halfUp(total, sold.length * 100, 2),
    product_rating: halfUp(ratings, rated.length * 100, 2),
    total_sales: total / 100,
  };
}

/** The days of each unit in a range. */
function expectedPeriods({ from, to }: DayRange, unit: Unit): DayRange[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  const unitOf = (day: string): string | number =>
    unit === 'day' ? day : unit === 'month' ? day.slice(0, 7) : Math.floor((Date.parse(day) / DAY + 3) / 7);
  return [...Map.groupBy(days, unitOf).values()].map((of) => ({ from: of[0] ?? '', to: of.at(-1) ?? '' }));
}

function sortValue(
  sales: { schedules: number; orders: number; revenue: number },
  field: string,
): number | null {
  if (field === 'sell_rate') return sales.orders / sales.schedules;
  if (field === 'asp') return sales.orders === 0 ? null : sales.revenue / sales.orders;
  return field === 'orders' ? sales.orders : field === 'schedules' ? sales.schedules : sales.revenue;
}

const byText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The identifiers of products in an order; null is last. */
function expectedOrder(schedules: readonly ScheduleDraft[], sort: ProductSort): string[] {
  const [, field = '', direction] = /^(.*)_(ascending|descending)$/.exec(sort) ?? [];
  const sign = direction === 'ascending' ? 1 : -1;
  const products = [...Map.groupBy(schedules, (one) => one.product_identifier)].map(([identifier, of]) => {
    const orders = of.filter(({ sold }) => sold).length;
    const revenue = of.reduce((sum, { sale_price: price }) => sum + (price ?? 0), 0);
    return { identifier, value: sortValue({ schedules: of.length, orders, revenue }, field) };
  });
  return products
    .sort((one, other) => {
      const inText = byText(one.identifier, other.identifier);
      if (field === 'identifier') return sign * inText;
      if (one.value === null || other.value === null)
        return Number(one.value === null) - Number(other.value === null) || inText;
      return sign * (one.value - other.value) || inText;
    })
    .map(({ identifier }) => identifier);
}

const shops: fc.Arbitrary<Shop> = fc
  .record({
    zone: fc.constantFrom(...unusualZones),
    // Clocks change around some of these days, or months and years end.
    day: fc.constantFrom('2011-12-31', '2018-11-04', '2024-03-31', '2025-02-28', '2025-10-26', '2026-01-01'),
    minutes: fc.integer({ min: -2400, max: 2400 }),
  })
  .chain(({ zone, day, minutes }) => {
    const now = Date.parse(`${day}T12:00:00Z`) + minutes * 60_000;
    const time = fc
      .tuple(fc.integer({ min: -70 * 48, max: 60 }), fc.constantFrom(0, -1, 1))
      .map(([halfHours, millisecond]) => now + (halfHours * HOUR) / 2 + millisecond);
    return fc
      .array(schedulesAt(time, PRODUCTS, 60), { minLength: 40, maxLength: 120, size: 'max' })
      .map((schedules) => ({ zone, now, schedules }));
  });

const requests = fc.record({
  /** The first and the last day, counted back from today. */
  days: fc.tuple(fc.nat(75), fc.integer({ min: -3, max: 40 })),
  startsMonth: fc.boolean(),
  unit: fc.constantFrom(...units),
  comparison: fc.constantFrom(undefined, ...comparisons),
});

forEachEngine((engine) => {
  describe('sales of a range of days', () => {
    const service = useService(engine);

    async function open({ zone, schedules }: Shop): Promise<TestMerchant> {
      const merchant = await service().newMerchant(zone);
      await importDrafts(service(), merchant, [PRODUCTS.map((product) => scheduledProduct(product))]);
      assert.equal((await importScheduleDrafts(service(), merchant, [schedules])).rejected, 0);
      return merchant;
    }

    it('are those of a simple model, by day, week and month, with what they are compared with', async () => {
      const script = fc.tuple(shops, fc.array(requests, { minLength: 8, maxLength: 8 }));
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(script, async ([shop, asked]) => {
          const { zone, now } = shop;
          const merchant = await open(shop);
          const { database } = service();
          const sources = { database, offLoop: new OffLoopReads(database), now: () => now };
          const stored = [...new Map(shop.schedules.map((one) => [one.schedule_id, one])).values()];
          const clock = clockIn(zone);
          const { day: today, time: clockNow } = clock(now);
          const sameTimeOn = (day: string): number =>
            Temporal.PlainDateTime.from(`${day}T${clockNow}`).toZonedDateTime(zone).epochMilliseconds;
          const on = ({ from, to }: DayRange, isCut = false): ScheduleDraft[] =>
            stored.filter(({ scheduled_at: time }) => {
              const { day } = clock(time);
              return day >= from && day <= to && (!isCut || time <= sameTimeOn(to));
            });
          const months = await monthlySales({ database }, merchant.id);
          for (const { days, startsMonth, unit, comparison } of asked) {
            const [one, other] = days.map((ago) => addDays(today, -ago)).sort();
            const from = startsMonth ? `${one?.slice(0, 7)}-01` : (one ?? '');
            const request = { from, to: other ?? '', unit, comparison };
            const report = await salesReport(sources, { id: merchant.id, time_zone: zone }, request);
            const range = { from, to: request.to < today ? request.to : from > today ? from : today };
            const message = `${JSON.stringify(request)} in ${zone} at ${new Date(now).toISOString()}`;
            assert.deepEqual({ from: report.from, to: report.to }, range, message);
            assert.deepEqual(report.sales, expectedFigures(on(range)), message);
            const periods = expectedPeriods(range, unit);
            assert.deepEqual(
              report.periods.map(({ from, to, sales }) => ({ from, to, sales })),
              periods.map((days) => ({ ...days, sales: expectedFigures(on(days)) })),
              message,
            );
            compared += checkCompared(report, { today, on, message });
            for (const month of months) {
              const shown = report.periods.find((each) => each.from === `${month.month}-01`);
              if (unit !== 'month' || shown?.is_whole !== true) continue;
              assert.deepEqual({ month: month.month, ...shown.sales }, month, message);
            }
            const { results } = await productSales(sources, merchant.id, {
              days: range,
              ...{ page: 1, perPage: 100 },
            });
            const cents = results.reduce((sum, { revenue }) => sum + Math.round(revenue * 100), 0);
            assert.equal(cents, Math.round(report.sales.total_sales * 100), message);
          }
        }),
        { numRuns: runs(20), interruptAfterTimeLimit: 100_000 },
      );
      assert.ok(compared > 0);
    });

    it('by product are in each order, page by page, with each product once', async () => {
      await fc.assert(
        fc.asyncProperty(shops, async (shop) => {
          const { zone, now } = shop;
          const merchant = await open(shop);
          const { database } = service();
          const sources = { database, offLoop: new OffLoopReads(database), now: () => now };
          const stored = [...new Map(shop.schedules.map((one) => [one.schedule_id, one])).values()];
          const clock = clockIn(zone);
          const days = { from: addDays(clock(now).day, -40), to: clock(now).day };
          const within = stored.filter(({ scheduled_at: time }) => {
            const { day } = clock(time);
            return day >= days.from && day <= days.to;
          });
          for (const sort of productSorts) {
            const expected = expectedOrder(within, sort);
            const listed: string[] = [];
            for (let page = 1; page <= 3; page += 1) {
              const part = await productSales(sources, merchant.id, { days, sort, page, perPage: 2 });
              assert.equal(part.total, expected.length);
              listed.push(...part.results.map(({ identifier }) => identifier));
            }
            assert.deepEqual(listed, expected, sort);
          }
        }),
        { numRuns: runs(15), interruptAfterTimeLimit: 100_000 },
      );
    });

    it('begin with the first month if no first day is asked for', async () => {
      const now = Date.parse('2026-11-28T12:00:00Z');
      const at = (id: string, day: string): ScheduleDraft => ({
        ...{ merchant: null, schedule_id: id, product_identifier: 'A', scheduled_at: Date.parse(day) },
        ...{ sold: true, sale_price: 1000, rating: null },
      });
      const schedules = [at('1', '2026-09-10'), at('2', '2026-11-20'), at('3', '2026-10-28T13:00Z')];
      const merchant = await open({ zone: 'UTC', now, schedules });
      const { database } = service();
      const sources = { offLoop: new OffLoopReads(database), now: () => now };
      const request = { to: '2026-11-28', unit: 'month', comparison: 'previous_months' } as const;
      const read = (from: string | undefined): Promise<SalesReport> =>
        salesReport(sources, { id: merchant.id, time_zone: 'UTC' }, { ...request, from });
      const all = await read(undefined);
      assert.equal(all.from, '2026-09-01');
      assert.deepEqual(
        all.periods.map(({ is_whole, is_running }) => [is_whole, is_running]),
        [
          [true, false],
          [true, false],
          [false, true],
        ],
      );
      assert.equal(all.compared, null, 'there was nothing before');
      assert.ok(all.periods.every(({ compared }) => compared === null));
      const { compared } = await read('2026-11-01');
      // One was sold an hour later on October 28 than it is now on November 28.
      assert.deepEqual([compared?.from, compared?.to], ['2026-10-01', '2026-10-28']);
      assert.equal(compared?.sales.schedules, 0);
    });
  });
});

describe('on sqlite, sales by product', () => {
  const service = useService(sqlite);

  it('are read from an index that has all columns, and only their products are looked up', () => {
    const path = join(service().config.dataDirectory, 'tradepost.db');
    const database = new DatabaseSync(path, { readOnly: true });
    for (const { sql } of Object.values(listProductSales)) {
      const parameters = Array((sql.match(/\?/g) ?? []).length).fill(null);
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
      const steps = plan.map(({ detail }) => String(detail)).join('\n');
      assert.match(steps, /SEARCH s USING COVERING INDEX schedules_by_month/);
      assert.match(steps, /SEARCH p USING (PRIMARY KEY|INDEX sqlite_autoindex_products_1)/);
    }
    database.close();
  });
});

/**
 * Checks that a report is compared with as many earlier days, the last one up to the present time. Returns
 * how many of its periods are compared.
 */
function checkCompared(
  { from, to, unit, compared, periods }: SalesReport,
  {
    today,
    on,
    message,
  }: { today: string; on: (range: DayRange, isCut: boolean) => ScheduleDraft[]; message: string },
): number {
  let count = 0;
  for (const period of [{ from, to, compared }, ...periods]) {
    if (period.compared === null) continue;
    count += 1;
    const { sales, ...days } = period.compared;
    const [length, comparedLength] = [period, days].map(
      (of) => (Date.parse(of.to) - Date.parse(of.from)) / DAY + 1,
    );
    const isOfMonths = days.from.endsWith(period.from.slice(-2)) && days.from.endsWith('-01');
    assert.ok(isOfMonths || (comparedLength ?? 0) <= (length ?? 0), `${message}: ${unit} ${days.from}`);
    assert.ok(days.to < period.from, message);
    const isPast = period.to !== today;
    // All of February 28 is earlier than the present time on March 31.
    const isShorter = Number(days.to.slice(-2)) < Number(today.slice(-2));
    const expected = [on(days, !isPast), ...(isPast || !isShorter ? [] : [on(days, false)])];
    assert.ok(
      expected.some((of) => JSON.stringify(expectedFigures(of)) === JSON.stringify(sales)),
      `${message}: compared with ${JSON.stringify(period.compared)}`,
    );
  }
  return count;
}

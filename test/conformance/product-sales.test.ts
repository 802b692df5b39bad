import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { durations } from '../../src/sales/periods.ts';
import { productSales } from '../../src/sales/product-sales.ts';
import type { ProductSales } from '../../src/sales/product-sales-record.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { scheduledProduct, schedulesAt, unusualZones } from '../support/schedule-arbitraries.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRODUCTS = ['A', 'a', 'É', 'B-1'];

const DAYS_AGO = { today: [0, 0], yesterday: [1, 1], last_week: [1, 7], last_30_days: [1, 30] } as const;

/** `numerator` ÷ `denominator` with this number of decimals, rounded half-up. */
function halfUp(numerator: number, denominator: number, decimals: number): number {
  const scaled = (BigInt(numerator) * 10n ** BigInt(decimals) * 2n) / BigInt(denominator);
  return Number((scaled + 1n) / 2n) / 10 ** decimals;
}

function withTable<Figures extends Omit<ProductSales, 'fees' | 'scheduling_fees' | 'table'>>(
  figures: Figures,
): ProductSales {
  const { sell_rate: _, asp: __, ...table } = figures;
  // There are neither orders nor placements.
  const fees = { fees: null, scheduling_fees: null };
  return { ...figures, ...fees, table: { ...table, ...fees } };
}

/** Calculated from the schedules and the calendar dates that clocks show. */
function expectedSales(
  schedules: Iterable<ScheduleDraft>,
  { zone, now, duration }: { zone: string; now: number; duration: keyof typeof DAYS_AGO },
): ProductSales[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const dayOf = (time: number): number => Date.parse(format.format(time)) / DAY;
  const [least, most] = DAYS_AGO[duration];
  const within = [...schedules].filter(({ scheduled_at }) => {
    const ago = dayOf(now) - dayOf(scheduled_at);
    return ago >= least && ago <= most;
  });
  return [...Map.groupBy(within, ({ product_identifier }) => product_identifier)]
    .map(([identifier, of]) => {
      const orders = of.filter(({ sold }) => sold).length;
      const revenue = of.reduce((sum, { sale_price }) => sum + (sale_price ?? 0), 0);
      return withTable({
        identifier,
        cost_basis: identifier === 'A' ? 12.34 : null,
        schedules: of.length,
        orders,
        revenue: revenue / 100,
        sell_rate: halfUp(orders, of.length, 4),
        asp: orders === 0 ? null : halfUp(revenue, orders * 100, 2),
      });
    })
    .sort(
      (one, other) =>
        other.revenue - one.revenue ||
        Buffer.compare(Buffer.from(one.identifier), Buffer.from(other.identifier)),
    );
}

forEachEngine((engine) => {
  const service = useService(engine);

  const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);
  function schedule(id: string, product: string, time: number, sale_price: number | null): ScheduleDraft {
    const sold = sale_price !== null;
    const result = { scheduled_at: time, sold, sale_price, rating: null };
    return { merchant: null, schedule_id: id, product_identifier: product, ...result };
  }

  async function newMerchantWith(schedules: ScheduleDraft[], timeZone?: string): Promise<TestMerchant> {
    const merchant = await service().newMerchant(timeZone);
    await importDrafts(service(), merchant, [
      [
        scheduledProduct('A', { cost_basis: 12.34 }),
        ...PRODUCTS.slice(1).map((identifier) => scheduledProduct(identifier)),
      ],
    ]);
    const { rejected } = await importScheduleDrafts(service(), merchant, [schedules]);
    assert.equal(rejected, 0);
    return merchant;
  }

  const today = (): string => new Date(service().now()).toISOString().slice(0, 10);

  it('200: returns an empty array without schedules', async () => {
    const merchant = await newMerchantWith([]);
    for (const duration of durations) {
      assert.equal((await service().get('/performance/auctions.json', merchant, { duration })).text, '[]');
    }
  });

  it('200: returns a record for each product, the highest revenue first, then by identifier, keys in the contract’s order', async () => {
    const time = noon(today());
    const merchant = await newMerchantWith([
      schedule('1', 'A', time, 1),
      schedule('2', 'A', time, 2),
      schedule('3', 'A', time, null),
      schedule('4', 'B-1', time, 1_000_000),
      schedule('5', 'a', time, null),
      schedule('6', 'É', time, 0),
      schedule('7', 'É', time - 40 * DAY, 900),
    ]);
    const { status, text } = await service().get('/performance/auctions', merchant, { duration: 'today' });
    assert.equal(status, 200);
    const figures = [
      '"identifier":"B-1","cost_basis":null,"schedules":1,"orders":1,"revenue":10000',
      '"identifier":"A","cost_basis":12.34,"schedules":3,"orders":2,"revenue":0.03',
      '"identifier":"a","cost_basis":null,"schedules":1,"orders":0,"revenue":0',
      '"identifier":"É","cost_basis":null,"schedules":1,"orders":1,"revenue":0',
    ];
    const rates = ['1,"asp":10000', '0.6667,"asp":0.02', '0,"asp":null', '1,"asp":0'];
    const fees = '"fees":null,"scheduling_fees":null';
    const lines = figures.map(
      (each, index) => `{${each},"sell_rate":${rates[index]},${fees},"table":{${each},${fees}}}`,
    );
    assert.equal(text, `[${lines.join()}]`);
  });

  it('200: covers the calendar days of each period in the merchant’s time zone, whatever the clocks do', async () => {
    // The clocks change around these days in one of the zones, or months and years end.
    const days = [
      '2011-12-31',
      '2018-02-18',
      '2018-11-04',
      '2023-03-26',
      '2024-03-01',
      '2025-10-26',
      '2026-01-01',
    ];
    const script = fc.record({
      zone: fc.constantFrom(...unusualZones),
      day: fc.constantFrom(...days),
      hours: fc.integer({ min: -40, max: 40 }),
      past: fc.constantFrom(2, 9, 33),
    });
    await fc.assert(
      fc.asyncProperty(
        script.chain((one) => {
          const now = noon(one.day) + one.hours * HOUR + 1;
          const time = fc
            .tuple(fc.integer({ min: -one.past * 48, max: 60 }), fc.constantFrom(0, -1, 1))
            .map(([halfHours, millisecond]) => noon(one.day) + (halfHours * HOUR) / 2 + millisecond);
          const drafts = fc.array(schedulesAt(time, PRODUCTS, 40), {
            minLength: 20,
            maxLength: 80,
            size: 'max',
          });
          return drafts.map((schedules) => ({ zone: one.zone, now, schedules }));
        }),
        async ({ zone, now, schedules }) => {
          const merchant = await newMerchantWith(schedules, zone);
          const latest = new Map(schedules.map((one) => [one.schedule_id, one]));
          const { database } = service();
          const sources = { database, offLoop: new OffLoopReads(database), now: () => now };
          for (const duration of durations) {
            const page = { duration, page: 1, perPage: 1000 };
            const { results, total } = await productSales(sources, merchant.id, page);
            const expected = expectedSales(latest.values(), { zone, now, duration });
            assert.deepEqual(results, expected, `${duration} in ${zone} at ${new Date(now).toISOString()}`);
            assert.equal(total, expected.length);
          }
        },
      ),
      { numRuns: runs(60), interruptAfterTimeLimit: 100_000 },
    );
  });

  it('200: returns the products page by page, with links to the pages before and after', async () => {
    const merchant = await service().newMerchant();
    const identifiers = Array.from({ length: 25 }, (_, index) => `P-${String(index).padStart(2, '0')}`);
    await importDrafts(service(), merchant, [identifiers.map((identifier) => draft(identifier))]);
    const yesterday = noon(today()) - DAY;
    await importScheduleDrafts(service(), merchant, [
      identifiers.map((identifier, index) => schedule(identifier, identifier, yesterday, 1000 - index)),
    ]);
    const query = { duration: 'yesterday', per_page: '10' };
    const pages: string[] = [];
    const links: unknown[] = [];
    for (const page of ['1', '2', '3', '4', '2147483647']) {
      const response = await service().get('/performance/auctions.json', merchant, { ...query, page });
      pages.push(
        response
          .json<ProductSales[]>()
          .map(({ identifier }) => identifier)
          .join(),
      );
      links.push(response.headers.link);
    }
    const expected = [identifiers.slice(0, 10), identifiers.slice(10, 20), identifiers.slice(20), [], []];
    assert.deepEqual(
      pages,
      expected.map((page) => page.join()),
    );
    const link = (page: number, relation: string): string =>
      `</v1/performance/auctions.json?duration=yesterday&page=${page}&per_page=10>; rel="${relation}"`;
    assert.deepEqual(links, [
      link(2, 'next'),
      `${link(1, 'prev')}, ${link(3, 'next')}`,
      link(2, 'prev'),
      link(3, 'prev'),
      link(3, 'prev'),
    ]);
    const all = await service().get('/performance/auctions.json', merchant, { duration: 'yesterday' });
    assert.equal(all.json<ProductSales[]>().length, 25);
    assert.equal(all.headers.link, undefined);
  });

  it('200: never includes another merchant’s sales', async () => {
    await newMerchantWith([schedule('1', 'A', noon(today()), 100)]);
    const merchant = await newMerchantWith([]);
    const { text } = await service().get('/performance/auctions.json', merchant, { duration: 'today' });
    assert.equal(text, '[]');
  });

  it('400: requires one of the durations', async () => {
    const merchant = await newMerchantWith([]);
    const get = (query: Record<string, string>) =>
      service().get('/performance/auctions.json', merchant, query);
    const expected = 'one of today, yesterday, last_week, last_30_days';
    expectError(await get({}), 400, `duration: missing, expected ${expected}.`);
    expectError(
      await get({ duration: 'last_year' }),
      400,
      `duration: expected ${expected}, not "last_year".`,
    );
    expectError(
      await get({ duration: 'today', per_page: '1001' }),
      400,
      /^per_page: expected a whole number/,
    );
  });
});

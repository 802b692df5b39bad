import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Overview, ProductSalesPage, SalesReport } from '../../src/console/catalog-api.ts';
import type { ScheduleList } from '../../src/sales/list-schedules.ts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const HOUR_MS = 60 * 60 * 1000;

forEachEngine((engine) => {
  describe('sales in the console', () => {
    const service = useService(engine);

    async function newShop(): Promise<{ merchant: TestMerchant; console: ConsoleClient }> {
      const merchant = await service().newMerchant();
      const low = { status: 'low_inventory' as const, available_quantity: 4 };
      await importDrafts(service(), merchant, [[draft('A', low), draft('B', low)]]);
      const schedules = Array.from({ length: 100 }, (_, index) => ({
        merchant: null,
        schedule_id: `s-${String(index).padStart(3, '0')}`,
        product_identifier: index < 80 ? 'A' : 'B',
        variation_identifier: null,
        scheduled_at: service().now() - (index + 1) * HOUR_MS,
        sold: index % 4 === 0,
        sale_price: index % 4 === 0 ? 1000 + index : null,
        rating: null,
      }));
      await importScheduleDrafts(service(), merchant, [schedules]);
      return { merchant, console: await signedIn(service(), merchant) };
    }

    async function linesOf(
      console: ConsoleClient,
      query: Record<string, string>,
    ): Promise<ScheduleList['results']> {
      const lines: ScheduleList['results'] = [];
      for (let after: string | undefined, more = true; more; ) {
        const text = new URLSearchParams({ ...query, per_page: '7', ...(after !== undefined && { after }) });
        const response = await console.get(`/v1/schedules?${text}`);
        assert.equal(response.status, 200, response.text);
        const list = response.json<ScheduleList>();
        lines.push(...list.results);
        ({ cursor: after, more } = list);
      }
      return lines;
    }

    it('lists the schedules behind each month and product, which add up to their figures', async () => {
      const { console } = await newShop();
      const months = (await console.get('/v1/performance/sales')).json<MonthlySales[]>();
      for (const { month, schedules, total_sales: total } of months) {
        const lines = await linesOf(console, { month });
        assert.equal(lines.length, schedules);
        const sum = lines.reduce((cents, { sale_price: price }) => cents + Math.round((price ?? 0) * 100), 0);
        assert.equal(sum, Math.round(total * 100));
      }
      const page = (await console.get('/sales/products?duration=last_30_days')).json<ProductSalesPage>();
      assert.equal(page.total_entries, 2);
      for (const { identifier, orders } of page.products) {
        const sold = (await linesOf(console, { product_identifier: identifier })).filter((line) => line.sold);
        assert.ok(sold.length >= orders && orders > 0);
      }
    });

    it('returns the same products as the API, page by page', async () => {
      const { merchant, console } = await newShop();
      const query = { duration: 'last_30_days', per_page: '1' };
      for (const page of ['1', '2', '3']) {
        const text = new URLSearchParams({ ...query, page });
        const shown = (await console.get(`/sales/products?${text}`)).json<ProductSalesPage>();
        const fromApi = await service().get('/performance/auctions', merchant, { ...query, page });
        const figures = shown.products.map(({ product: _, ...sales }) => sales);
        assert.deepEqual(figures, fromApi.json());
        assert.equal(shown.total_entries, 2);
      }
    });

    it('lists the products of days in an order, each with its title and picture', async () => {
      const { merchant, console } = await newShop();
      const fields = { title: 'Vase', primary_image: 'https://images.example.com/vase.jpg' };
      await importDrafts(service(), merchant, [[draft('A', fields)]]);
      const to = new Date(service().now()).toISOString().slice(0, 10);
      const from = new Date(service().now() - 6 * 24 * HOUR_MS).toISOString().slice(0, 10);
      const read = async (sort: string): Promise<ProductSalesPage['products']> => {
        const path = `/sales/products?${new URLSearchParams({ from, to, sort })}`;
        return (await console.get(path)).json<ProductSalesPage>().products;
      };
      const descending = await read('identifier_descending');
      assert.deepEqual(
        descending.map(({ identifier, product }) => [identifier, product?.title, product?.primary_image]),
        [
          ['B', null, null],
          ['A', fields.title, fields.primary_image],
        ],
      );
      assert.deepEqual(await read('revenue_descending'), descending.toReversed());
      for (const { identifier, schedules } of descending) {
        const lines = await linesOf(console, { product_identifier: identifier, from, to });
        assert.equal(lines.length, schedules);
      }
    });

    it('reports a range of days, which adds up to the months of the API', async () => {
      const { merchant, console } = await newShop();
      const to = new Date(service().now()).toISOString().slice(0, 10);
      const months = (await service().get('/performance/sales', merchant)).json<MonthlySales[]>();
      for (const unit of ['day', 'week', 'month']) {
        const report = (await console.get(`/sales/report?to=${to}&unit=${unit}`)).json<SalesReport>();
        assert.equal(report.first_month, months[0]?.month);
        assert.equal(report.from, `${months[0]?.month}-01`);
        assert.equal(report.compared, null);
        const cents = (sales: readonly { total_sales: number }[]): number =>
          sales.reduce((sum, { total_sales: total }) => sum + Math.round(total * 100), 0);
        assert.equal(cents([report.sales]), cents(months), unit);
        assert.equal(cents(report.periods.map(({ sales }) => sales)), cents(months), unit);
      }
    });

    it('says how long low stock lasts at the rate of the last 30 days', async () => {
      const { console } = await newShop();
      const { low_inventory: low } = (await console.get('/overview')).json<Overview>();
      assert.deepEqual(
        low.map(({ identifier, sold, days_of_cover: days }) => [identifier, sold, days]),
        [
          ['A', 20, 6],
          ['B', 5, 24],
        ],
      );
    });

    it('lists low stock that runs out first before lower stock that sells slowly, or not at all', async () => {
      const { merchant, console } = await newShop();
      const low = (units: number) => ({ status: 'low_inventory' as const, available_quantity: units });
      await importDrafts(service(), merchant, [[draft('B', low(1)), draft('C', low(2)), draft('D', low(1))]]);
      const { low_inventory: listed } = (await console.get('/overview')).json<Overview>();
      // A lasts 4 * 30 / 20 days, B 1 * 30 / 5 days: as long. Then the lower stock is first.
      assert.deepEqual(
        listed.map(({ identifier }) => identifier),
        ['B', 'A', 'D', 'C'],
      );
    });

    it('shows each of the last 30 days on the overview, which add up to the schedules of these days', async () => {
      const ZONE = 'Asia/Kathmandu';
      const merchant = await service().newMerchant(ZONE);
      const console = await signedIn(service(), merchant);
      const read = async (): Promise<Overview['last_days']> =>
        (await console.get('/overview')).json<Overview>().last_days;
      assert.equal(await read(), null);
      await importDrafts(service(), merchant, [[draft('A')]]);
      const now = Temporal.Instant.fromEpochMilliseconds(service().now()).toZonedDateTimeISO(ZONE);
      const first = now.startOfDay().subtract({ days: 29 });
      const at = (
        name: string,
        time: Temporal.ZonedDateTime,
        price: number | null,
        rating: number | null,
      ) => ({
        ...{ merchant: null, schedule_id: name, product_identifier: 'A', sold: price !== null },
        ...{ scheduled_at: time.epochMilliseconds, sale_price: price, rating },
      });
      await importScheduleDrafts(service(), merchant, [
        [
          at('before', first.subtract({ milliseconds: 1 }), 9_900, null),
          at('first', first, 1_000, 400),
          at('also-first', first.add({ days: 1 }).subtract({ milliseconds: 1 }), 2_000, 500),
          at('second', first.add({ days: 1 }), null, null),
          at('now', now, 500, null),
          at('future', now.add({ hours: 30 }), 9_900, null),
        ],
      ]);
      const days = await read();
      assert.equal(days?.first, first.toPlainDate().toString());
      const { total_sales: sales, schedules, sell_rate: rates, asp, product_rating: ratings } = days.figures;
      const between = <Value>(value: Value): Value[] => Array(27).fill(value);
      assert.deepEqual(sales, [30, 0, ...between(0), 5]);
      assert.deepEqual(schedules, [2, 1, ...between(0), 1]);
      assert.deepEqual(rates, [1, 0, ...between(null), 1]);
      assert.deepEqual(asp, [15, null, ...between(null), 5]);
      assert.deepEqual(ratings, [4.5, null, ...between(null), null]);
    });

    it('400 and 404: says what is wrong', async () => {
      const { console } = await newShop();
      for (const [path, status] of [
        ['/v1/schedules', 400],
        ['/v1/schedules?month=2026-01&product_identifier=A', 400],
        ['/v1/schedules?month=january', 400],
        ['/v1/schedules?product_identifier=C', 404],
        ['/sales/products?duration=ever', 400],
        ['/sales/products', 400],
        ['/sales/products?from=2026-01-01', 400],
        ['/sales/products?from=2026-01-02&to=2026-01-01', 400],
        ['/sales/products?from=2001-01-01&to=2026-01-01', 400],
        ['/sales/products?duration=today&to=2026-01-01', 400],
        ['/sales/products?duration=today&sort=title', 400],
        ['/sales/report?from=2026-01-01&unit=day', 400],
        ['/sales/report?from=2026-01-01&to=2026-01-31', 400],
        ['/sales/report?from=2026-01-02&to=2026-01-01&unit=day', 400],
        ['/sales/report?from=2025-01-01&to=2026-01-01&unit=day', 400],
        ['/sales/report?from=2025-01-01&to=2026-01-01&unit=week', 200],
        ['/sales/report?from=2001-01-01&to=2026-01-01&unit=month', 400],
      ] as const) {
        assert.equal((await console.get(path)).status, status, path);
      }
    });
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { monthToDate, previousMonth } from '../../src/console/overview/month-to-date.ts';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { type MonthlySales, monthlySales } from '../../src/sales/monthly-sales.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

it('the month before January is December of the previous year', () => {
  assert.equal(previousMonth('2026-01'), '2025-12');
  assert.equal(previousMonth('2026-11'), '2026-10');
});

forEachEngine((engine) => {
  describe('sales of the last month up to the current day and time', () => {
    const service = useService(engine);
    let merchant: TestMerchant;

    const readAt = async (
      time: string,
      month = previousMonth(time.slice(0, 7)),
    ): Promise<MonthlySales | null> => {
      const { database } = service();
      const sources = { offLoop: new OffLoopReads(database), now: () => Date.parse(time) };
      const months = await monthlySales({ database }, merchant.id);
      const thisMonth = time.slice(0, 7);
      return await monthToDate(sources, merchant.id, { months, month, thisMonth });
    };

    before(async () => {
      merchant = await service().newMerchant('UTC');
      await importDrafts(service(), merchant, [[draft('P-1')]]);
      const schedules = [
        ['2026-01-31T23:00:00Z', 1000, 500],
        ['2026-02-01T00:00:00Z', 1999, 450],
        ['2026-02-10T12:00:00Z', null, null],
        ['2026-02-28T23:59:59Z', 2000, null],
      ] as const;
      const drafts = schedules.map(([time, price, rating], index) => ({
        merchant: null,
        schedule_id: `S-${index}`,
        product_identifier: 'P-1',
        scheduled_at: Date.parse(time),
        sold: price !== null,
        sale_price: price,
        rating,
      }));
      await importScheduleDrafts(service(), merchant, [drafts]);
    });

    it('include only the same days', async () => {
      const first = { month: '2026-02', schedules: 1, sell_rate: 1, asp: 19.99, product_rating: 4.5 };
      assert.deepEqual(await readAt('2026-03-01T00:00:01Z'), { ...first, total_sales: 19.99 });
      assert.deepEqual(await readAt('2026-03-10T12:00:00Z'), { ...first, total_sales: 19.99 });
      assert.deepEqual(await readAt('2026-03-10T12:00:01Z'), {
        ...first,
        schedules: 2,
        sell_rate: 0.5,
        total_sales: 19.99,
      });
    });

    it('include all of a shorter month on the last days of a longer one', async () => {
      const months = await monthlySales({ database: service().database }, merchant.id);
      const february = months.find(({ month }) => month === '2026-02');
      for (const day of ['29', '31']) assert.deepEqual(await readAt(`2026-03-${day}T23:00:00Z`), february);
    });

    it('include only the same days of a month further back', async () => {
      const to = (time: string) => readAt(time, '2026-02');
      assert.equal((await to('2026-08-10T12:00:00Z'))?.schedules, 1);
      assert.equal((await to('2026-08-10T12:00:01Z'))?.schedules, 2);
      assert.equal((await to('2027-02-28T23:59:59Z'))?.schedules, 2);
      assert.equal((await to('2027-03-01T00:00:01Z'))?.schedules, 1);
    });

    it('are null if there are no schedules on those days or in that month', async () => {
      assert.equal(await readAt('2026-03-01T00:00:00Z'), null);
      assert.equal(await readAt('2026-02-28T23:00:00Z'), null);
      assert.equal(await readAt('2026-05-31T00:00:00Z'), null);
    });
  });
});

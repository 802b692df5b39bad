import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

/** Price and rating are in hundredths. Without a price, it is unsold. */
function schedule(
  schedule_id: string,
  time: string,
  sale_price: number | null = null,
  rating: number | null = null,
): ScheduleDraft {
  const sold = sale_price !== null;
  const scheduled_at = Date.parse(time);
  return { merchant: null, schedule_id, product_identifier: 'POT-1', scheduled_at, sold, sale_price, rating };
}

forEachEngine((engine) => {
  const service = useService(engine);

  async function newMerchantWith(schedules: ScheduleDraft[], timeZone?: string): Promise<TestMerchant> {
    const merchant = await service().newMerchant(timeZone);
    await importDrafts(service(), merchant, [[draft('POT-1')]]);
    await importScheduleDrafts(service(), merchant, [schedules]);
    return merchant;
  }
  const sales = async (merchant: TestMerchant): Promise<string> => {
    const response = await service().get('/performance/sales.json', merchant);
    assert.equal(response.status, 200, response.text);
    return response.text;
  };

  it('200: returns an empty array without schedules', async () => {
    assert.equal(await sales(await newMerchantWith([])), '[]');
  });

  it('200: returns a record for each month with schedules, oldest first, keys in the contract’s order', async () => {
    const merchant = await newMerchantWith([
      schedule('d', '2026-03-01T00:00:00Z'),
      schedule('a', '2025-12-31T23:59:59.999Z', 1999, 450),
      schedule('b', '2025-12-01T00:00:00Z', 1, 400),
      schedule('c', '2025-12-15T00:00:00Z'),
    ]);
    assert.equal(
      await sales(merchant),
      '[{"month":"2025-12","schedules":3,"sell_rate":0.6667,"asp":10,"product_rating":4.25,"total_sales":20},' +
        '{"month":"2026-03","schedules":1,"sell_rate":0,"asp":null,"product_rating":null,"total_sales":0}]',
    );
  });

  it('200: rounds averages half up, and keeps sums exact', async () => {
    // 0.01 + 0.02 over two is 0.015; 0.1 + 0.2 is 0.3; 4.14 + 4.15 over two is 4.145.
    const half = await newMerchantWith([
      schedule('a', '2026-01-01T00:00:00Z', 1, 414),
      schedule('b', '2026-01-01T00:00:00Z', 2, 415),
      schedule('c', '2026-02-01T00:00:00Z', 10),
      schedule('d', '2026-02-01T00:00:00Z', 20),
      ...Array.from({ length: 6 }, (_, index) => schedule(`e${index}`, '2026-02-01T00:00:00Z')),
    ]);
    assert.deepEqual(JSON.parse(await sales(half)), [
      { month: '2026-01', schedules: 2, sell_rate: 1, asp: 0.02, product_rating: 4.15, total_sales: 0.03 },
      { month: '2026-02', schedules: 8, sell_rate: 0.25, asp: 0.15, product_rating: null, total_sales: 0.3 },
    ]);
  });

  it('200: counts a sale at a price of 0', async () => {
    const [month] = JSON.parse(
      await sales(await newMerchantWith([schedule('a', '2026-01-01T00:00:00Z', 0, 0)])),
    );
    assert.deepEqual(month, {
      month: '2026-01',
      schedules: 1,
      sell_rate: 1,
      asp: 0,
      product_rating: 0,
      total_sales: 0,
    });
  });

  it('200: keeps sums of many maximum prices exact', async () => {
    const price = 10 ** 13;
    const many = Array.from({ length: 90 }, (_, index) =>
      schedule(`s${index}`, '2026-01-01T00:00:00Z', price - (index === 0 ? 1 : 0)),
    );
    const [month] = JSON.parse(await sales(await newMerchantWith(many)));
    assert.equal(month.total_sales, (90 * price - 1) / 100);
    assert.equal(month.asp, 100_000_000_000);
  });

  it('200: groups by month in the merchant’s time zone', async () => {
    const times = [
      '2026-01-31T10:59:59Z',
      '2026-01-31T11:00:00Z',
      '2026-02-01T03:29:59Z',
      '2026-02-01T03:30:00Z',
    ];
    const schedules = times.map((time, index) => schedule(`s${index}`, time));
    const counts = async (timeZone: string): Promise<unknown> => {
      const months = JSON.parse(await sales(await newMerchantWith(schedules, timeZone)));
      return Object.fromEntries(
        months.map((one: { month: string; schedules: number }) => [one.month, one.schedules]),
      );
    };
    assert.deepEqual(await counts('UTC'), { '2026-01': 2, '2026-02': 2 });
    assert.deepEqual(await counts('Pacific/Auckland'), { '2026-01': 1, '2026-02': 3 });
    assert.deepEqual(await counts('America/St_Johns'), { '2026-01': 3, '2026-02': 1 });
  });

  it('200: never includes another merchant’s sales', async () => {
    await newMerchantWith([schedule('a', '2026-01-01T00:00:00Z', 100)]);
    assert.equal(await sales(await service().newMerchant()), '[]');
  });

  it('200: counts a replaced schedule once, in its new month', async () => {
    const merchant = await newMerchantWith([schedule('a', '2026-01-01T00:00:00Z', 100, 500)]);
    await importScheduleDrafts(service(), merchant, [[schedule('a', '2026-02-01T00:00:00Z')]]);
    assert.equal(
      await sales(merchant),
      '[{"month":"2026-02","schedules":1,"sell_rate":0,"asp":null,"product_rating":null,"total_sales":0}]',
    );
  });

  it('400: rejects every parameter', async () => {
    const response = await service().get('/performance/sales.json', await newMerchantWith([]), {
      month: '2026-01',
      page: '1',
    });
    expectError(response, 400, unrecognized('month', 'page'));
  });
});

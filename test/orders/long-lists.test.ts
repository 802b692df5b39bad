import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { filters, type SortName, sorts } from '../../src/orders/list/sorts.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import { orderStatuses } from '../../src/orders/record/order.ts';
import { rangeOf, sortFields } from '../../src/orders/record/order-ranges.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { StoredOrder } from '../../src/orders/record/queries.ts';
import { forEachEngine } from '../support/engines.ts';
import { importOrderDrafts, orderDraft } from '../support/orders.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { isThorough } from '../support/thorough.ts';
import { inOrder, Shop } from './orders-support.ts';

/** The last page is so far from the first that the service looks at the sizes of ranges. */
const ORDERS = isThorough ? 6_000 : 3_000;
const CHANGED = 300;
const PER_PAGE = 50;
const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const HOUR_MS = 60 * 60 * 1000;
const WEEKS = 26;

const listStored = statement<{ merchantId: number }, StoredOrder>(
  'SELECT * FROM orders WHERE merchant_id = :merchantId',
);
const listRanges = statement<
  { merchantId: number },
  { field: string; status: string; number: number; orders: number }
>(`SELECT field, status, number, orders FROM order_ranges WHERE merchant_id = :merchantId AND orders <> 0`);

forEachEngine((engine) => {
  const service = useService(engine);

  describe('a list of thousands of orders', () => {
    it('has the same pages as all orders in its order, also after changes; their ranges are counted', async () => {
      const random = newRandom();
      const shop = await Shop.open(service());
      const anyTime = (): number | null =>
        random.chance(0.1) ? null : BEGIN + random.whole(0, WEEKS * 7 * 24) * HOUR_MS;
      const anyDraft = (number: number): OrderDraft =>
        orderDraft(`LONG-${number}`, {
          order_id: 3 * number + 1,
          product_identifier: 'VASE',
          // Most orders are in one list, so that it is long.
          status: random.chance(0.7) ? 'paid' : random.pick(orderStatuses),
          carrier: 'ups',
          tracking_number: '1Z',
          paid_at: anyTime(),
          fulfillment_due_date: anyTime(),
        });
      const push = async (drafts: OrderDraft[]): Promise<void> => {
        const { rejections } = await importOrderDrafts(service(), shop.merchant, [drafts]);
        assert.deepEqual(rejections, []);
      };
      const check = async (): Promise<void> => {
        const all: OrderRecord[] = [];
        for (let page = 1; page <= ORDERS / 1_000; page += 1)
          all.push(...(await shop.list({ per_page: '1000', page: String(page), sort: 'id_asc' })));
        assert.equal(new Set(all.map(({ order_id }) => order_id)).size, ORDERS);
        for (const [filter, status] of Object.entries(filters)) {
          const selected = all.filter((order) => status === undefined || order.status === status);
          const last = Math.ceil(selected.length / PER_PAGE);
          for (const sort of Object.keys(sorts) as SortName[]) {
            const expected = inOrder(selected, sort).map(({ order_id }) => order_id);
            for (const page of [last, random.whole(1, last), Math.ceil(last / 2)]) {
              const orders = await shop.list({ filter, sort, page: String(page) });
              const from = (page - 1) * PER_PAGE;
              assert.deepEqual(
                orders.map(({ order_id }) => order_id),
                expected.slice(from, from + PER_PAGE),
                `page ${page} of ${filter} by ${sort}`,
              );
            }
          }
        }
        assert.deepEqual(await storedRanges(), await countedRanges());
      };
      const { id: merchantId } = shop.merchant;
      const { database } = service();
      const storedRanges = async (): Promise<Map<string, number>> => {
        const rows = await database.all(listRanges, { merchantId });
        return inKeyOrder(rows.map((row) => [`${row.field} ${row.status} ${row.number}`, row.orders]));
      };
      const countedRanges = async (): Promise<Map<string, number>> => {
        const counts = new Map<string, number>();
        for (const row of await database.all(listStored, { merchantId })) {
          for (const field of sortFields) {
            const key = `${field} ${row.status} ${rangeOf(field, row[field])}`;
            counts.set(key, (counts.get(key) ?? 0) + 1);
          }
        }
        return inKeyOrder(counts);
      };

      await push(Array.from({ length: ORDERS }, (_, number) => anyDraft(number)));
      await check();
      const numbers = Array.from({ length: CHANGED }, () => random.whole(0, ORDERS - 1));
      await push(
        [...new Set(numbers)].map((number) => ({
          merchant: null,
          external_id: `LONG-${number}`,
          paid_at: anyTime(),
          fulfillment_due_date: anyTime(),
        })),
      );
      const json = Array.from({ length: CHANGED }, (_, number) => ({
        order_id: 3 * number + 1,
        ...(random.chance(0.5)
          ? { action: 'cancel', reason: 'other' }
          : { action: 'fulfill', carrier: 'ups', tracking_number: '1' }),
      }));
      const path = `/orders/batch?access_token=${shop.token}`;
      const { updated } = (await service().request('POST', path, { json })).json<{ updated: number }>();
      assert.ok(updated > 50, String(updated));
      await check();
    });
  });
});

function inKeyOrder(entries: Iterable<[string, number]>): Map<string, number> {
  return new Map([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
}

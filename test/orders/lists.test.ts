import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { OrderLister } from '../../src/orders/list/list-orders.ts';
import { filters, type SortName, sorts } from '../../src/orders/list/sorts.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import { orderStatuses } from '../../src/orders/record/order.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { linkOf } from '../support/follow.ts';
import { importOrderDrafts, orderDraft } from '../support/orders.ts';
import { useService } from '../support/service.ts';
import { inOrder, Shop } from './orders-support.ts';

const ORDERS = 64;
const HOUR_MS = 60 * 60 * 1000;
const BEGIN = Date.parse('2026-03-01T00:00:00Z');

interface Summary {
  results: OrderRecord[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

/** Orders of every status, of which many have the same times, and some none. */
function drafts(): OrderDraft[] {
  const shipped = { carrier: 'ups', tracking_number: '1Z' };
  return Array.from({ length: ORDERS }, (_, index) =>
    orderDraft(`L-${index}`, {
      product_identifier: 'VASE',
      status: orderStatuses[index % orderStatuses.length],
      ...shipped,
      created_at: BEGIN + ((index * 29) % 17) * HOUR_MS,
      fulfillment_due_date: index % 7 === 0 ? null : BEGIN + ((index * 37) % 11) * HOUR_MS,
      paid_at: index % 5 === 0 ? null : BEGIN + ((index * 13) % 9) * 8 * HOUR_MS,
    }),
  );
}

function requireUndated<Each extends { sql: string }>(statement: Each): Each {
  assert.doesNotMatch(statement.sql, /created_at >/);
  return statement;
}

const idsOf = (orders: readonly OrderRecord[]): number[] => orders.map(({ order_id }) => order_id);

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  let all: OrderRecord[];
  before(async () => {
    shop = await Shop.open(service());
    const { created, rejections } = await importOrderDrafts(service(), shop.merchant, [drafts()]);
    assert.deepEqual([created, rejections], [ORDERS, []]);
    all = await shop.list({ per_page: '1000' });
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(orderStatuses));
  });

  const get = (query: Record<string, string>): Promise<ClientResponse> =>
    service().get('/orders', shop, query);

  describe('GET orders', () => {
    for (const [filter, status] of Object.entries(filters))
      it(`filter=${filter}: the pages form the whole list, in every order, without overlap or gap`, async () => {
        const selected = all.filter((order) => status === undefined || order.status === status);
        assert.ok(selected.length > 5);
        for (const sort of Object.keys(sorts) as SortName[]) {
          const listed: OrderRecord[] = [];
          for (let page = 1; listed.length < selected.length; page += 1)
            listed.push(...(await shop.list({ filter, sort, page: String(page), per_page: '7' })));
          assert.deepEqual(listed, inOrder(selected, sort), sort);
        }
      });

    it('status: returns orders with this status, the highest ID first', async () => {
      for (const status of orderStatuses)
        assert.deepEqual(
          await shop.list({ status }),
          inOrder(
            all.filter((order) => order.status === status),
            'id_desc',
          ),
        );
      assert.deepEqual(
        await shop.list({ status: 'paid', filter: 'unfulfilled' }),
        await shop.list({ status: 'paid' }),
      );
    });

    it('has 50 orders per page by default, and none past the end', async () => {
      assert.deepEqual(await shop.list(), all.slice(0, 50));
      assert.deepEqual(await shop.list({ page: '2' }), all.slice(50));
      assert.deepEqual(await shop.list({ page: '3' }), []);
      assert.deepEqual(await (await Shop.open(service())).list(), []);
    });

    it('pagination: says where the page is, and leads to the other pages', async () => {
      const query = { filter: 'all', sort: 'id_asc', per_page: '10', pagination: 'true' };
      const response = await get({ ...query, page: '2' });
      const summary = response.json<Summary>();
      assert.deepEqual(Object.keys(summary), ['results', 'from', 'to', 'page', 'per_page', 'total_entries']);
      const { results, ...figures } = summary;
      assert.deepEqual(figures, { from: 11, to: 20, page: 2, per_page: 10, total_entries: ORDERS });
      assert.deepEqual(results, inOrder(all, 'id_asc').slice(10, 20));
      for (const [relation, ids] of [
        ['first', [0, 10]],
        ['prev', [0, 10]],
        ['next', [20, 30]],
        ['last', [60, 64]],
      ] as const) {
        const link = linkOf(response, relation) ?? assert.fail(relation);
        assert.doesNotMatch(link, /access_token/);
        const page = (await shop.follow(link)).json<Summary>();
        assert.deepEqual(idsOf(page.results), idsOf(inOrder(all, 'id_asc').slice(...ids)), relation);
      }
      const past = (await get({ ...query, page: '9' })).json<Summary>();
      assert.deepEqual([past.results, past.from, past.to, past.total_entries], [[], 0, 0, ORDERS]);
    });

    it('order_ids: returns these orders once each, and leaves out what the merchant does not have', async () => {
      const other = await Shop.open(service());
      const { order_id: foreign } = await other.push('FOREIGN', { order_id: 700_000 });
      const [first, second, third] = idsOf(all);
      const ids = [second, foreign, first, 9_999_999_999, third, second].join(',');
      assert.deepEqual(idsOf(await shop.list({ order_ids: ids })), [first, second, third]);
      assert.deepEqual(idsOf(await shop.list({ order_ids: ids, sort: 'id_asc' })), [third, second, first]);
      assert.deepEqual(idsOf(await shop.list({ order_ids: ids, per_page: '2', page: '2' })), [third]);
      const { status = '' } = all[1] ?? {};
      assert.deepEqual(idsOf(await shop.list({ order_ids: ids, status })), [second]);
      const dated = all.slice(0, 3).filter(({ created_at }) => Date.parse(created_at) > BEGIN + 8 * HOUR_MS);
      const createdAfter = new Date(BEGIN + 8 * HOUR_MS).toISOString();
      assert.deepEqual(await shop.list({ order_ids: ids, created_after: createdAfter }), dated);
      const summary = (await get({ order_ids: ids, pagination: 'true' })).json<Summary>();
      assert.deepEqual([summary.total_entries, summary.from, summary.to], [3, 1, 3]);
      assert.equal((await get({ order_ids: Array(100).fill('1').join(',') })).status, 200);
    });

    it('created_after: returns orders that were created later', async () => {
      for (const hours of [-1, 0, 8, 16]) {
        const createdAfter = BEGIN + hours * HOUR_MS;
        const query = { created_after: new Date(createdAfter).toISOString(), per_page: '1000' };
        const later = all.filter(({ created_at }) => Date.parse(created_at) > createdAfter);
        assert.deepEqual(await shop.list(query), later);
        const paid = later.filter(({ status }) => status === 'paid');
        const filtered = { ...query, filter: 'unfulfilled', sort: 'paid_at_asc', pagination: 'true' };
        const summary = (await get(filtered)).json<Summary>();
        assert.deepEqual(summary.results, inOrder(paid, 'paid_at_asc'));
        assert.equal(summary.total_entries, paid.length);
      }
    });

    it('created_after: what it skips is never read on the event loop', async () => {
      const { database } = service();
      const offLoop = new OffLoopReads(database);
      const onLoop: Pick<Database, 'all' | 'first'> = {
        all: async (statement, ...parameters) => await database.all(requireUndated(statement), ...parameters),
        first: async (statement, ...parameters) =>
          await database.first(requireUndated(statement), ...parameters),
      };
      const lister = new OrderLister({ ...database, ...onLoop }, offLoop);
      const listing = { merchantId: shop.merchant.id, status: undefined, createdAfter: 0 };
      for (const sort of Object.keys(sorts) as SortName[])
        for (const page of [1, 2]) {
          const request = {
            listing: { ...listing, sort },
            page,
            perPage: 7,
            summary: false,
            after: undefined,
          };
          const { json } = await lister.list(request, async (_, orders) =>
            JSON.stringify(orders.map(({ order_id }) => order_id)),
          );
          assert.deepEqual(JSON.parse(json), idsOf(inOrder(all, sort)).slice((page - 1) * 7, page * 7));
        }
    });

    it('paid_from, paid_to: returns orders that were paid on these days', async () => {
      const dayOf = ({ paid_at }: OrderRecord): string => paid_at?.slice(0, 10) ?? '';
      for (const [from, to] of [
        ['2026-03-01', '2026-03-01'],
        ['2026-03-02', undefined],
        [undefined, '2026-03-02'],
        ['2026-03-04', undefined],
      ] as const) {
        const days = { ...(from && { paid_from: from }), ...(to && { paid_to: to }) };
        const paid = all.filter(
          (order) => dayOf(order) >= (from ?? '2026') && dayOf(order) <= (to ?? '2027'),
        );
        for (const sort of Object.keys(sorts) as SortName[]) {
          const found = await shop.list({ ...days, sort, product_identifier: 'VASE', per_page: '1000' });
          assert.deepEqual(found, inOrder(paid, sort));
          assert.deepEqual(await shop.list({ ...days, sort, per_page: '1000' }), found);
        }
        const summary = (await get({ ...days, pagination: 'true', per_page: '1' })).json<Summary>();
        assert.equal(summary.total_entries, paid.length);
        const ids = idsOf(all.slice(0, 20)).join(',');
        const among = paid.filter((order) => all.indexOf(order) < 20);
        assert.deepEqual(await shop.list({ ...days, order_ids: ids }), among);
      }
    });

    it('product_identifier: returns the orders of a product, paid or not', async () => {
      const own = await Shop.open(service());
      const ofVase = await own.push('VASE-1');
      await importDrafts(service(), own.merchant, [[draft('BOWL')]]);
      await own.push('BOWL-1', { product_identifier: 'BOWL', variation_identifier: null });
      const found = await own.list({ product_identifier: 'VASE' });
      assert.deepEqual(idsOf(found), [ofVase.order_id]);
      expectError(await get({ product_identifier: 'CUP' }), 404, /CUP/);
    });

    it('blank parameters count as missing', async () => {
      const names = [
        'filter',
        'sort',
        'status',
        'order_ids',
        'created_after',
        'product_identifier',
        'paid_from',
        'paid_to',
        'changed_since',
        'after',
        'page',
      ];
      const blank = Object.fromEntries([...names, 'per_page', 'pagination'].map((name) => [name, '']));
      assert.deepEqual(await shop.list(blank), all.slice(0, 50));
    });

    it('400: names each wrong parameter and what was expected', async () => {
      const cursor = new URLSearchParams(linkOf(await get({ per_page: '5' }), 'next')?.split('?')[1]).get(
        'after',
      );
      for (const [query, message] of [
        [{ filter: 'open' }, /^filter: expected one of unfulfilled, fulfilled, refunded, all, not "open"\.$/],
        [{ sort: 'id' }, /^sort: expected one of id_desc, id_asc, fulfillment_due_date_desc, /],
        [{ status: 'Paid' }, /^status: expected one of unpaid, processing_payment, /],
        [{ order_ids: '1;2' }, /^order_ids: expected 1 to 100 order IDs, separated by commas, not "1;2"\.$/],
        [{ order_ids: Array(101).fill('1').join(',') }, /^order_ids: expected 1 to 100 order IDs/],
        [{ created_after: '2026-03-01' }, /^created_after: expected an RFC 3339 time/],
        [{ page: '0' }, /^page: expected a whole number from 1/],
        [{ per_page: '1001' }, /^per_page: expected a whole number from 1 to 1000/],
        [{ after: 'x' }, /^after: not a complete cursor/],
        [{ after: String(cursor), sort: 'id_asc' }, /^after: a cursor of another list/],
        [{ after: String(cursor), order_ids: '1' }, /^after: cannot be combined with order_ids/],
        [{ filter: 'fulfilled', status: 'paid' }, /^filter: cannot be combined with the status paid/],
        [
          { changed_since: 'start', sort: 'id_asc', page: '1' },
          /sort: cannot be combined with changed_since/,
        ],
        [{ color: 'red' }, /^The following parameters were provided but are not recognized: color\.$/],
      ] as const)
        expectError(await get(query), 400, message);
      const both = await get({ filter: 'x', page: 'x' });
      assert.match(both.message, /filter: .*page: /);
    });
  });

  describe('the links to the next pages', () => {
    it('neither repeat nor skip an order while others are added, change, and leave the list', async () => {
      const own = await Shop.open(service());
      await importOrderDrafts(service(), own.merchant, [
        Array.from({ length: 40 }, (_, index) =>
          orderDraft(`A-${index}`, {
            product_identifier: 'VASE',
            fulfillment_due_date: BEGIN + (index % 5) * HOUR_MS,
          }),
        ),
      ]);
      for (const sort of [
        'id_desc',
        'id_asc',
        'fulfillment_due_date_asc',
        'fulfillment_due_date_desc',
      ] as const) {
        const start = await own.list({ filter: 'unfulfilled', per_page: '1000' });
        const left = new Set<number>();
        const listed: number[] = [];
        let response = await service().get('/orders', own, { filter: 'unfulfilled', sort, per_page: '6' });
        for (let round = 0; ; round += 1) {
          listed.push(...idsOf(response.json<OrderRecord[]>()));
          const next = linkOf(response, 'next');
          if (next === undefined) break;
          await own.push(`N-${sort}-${round}`, { fulfillment_due_date: new Date(BEGIN).toISOString() });
          // One that was listed, and one that is not listed yet.
          for (const order_id of [
            listed[round],
            start.find((each) => !listed.includes(each.order_id))?.order_id,
          ]) {
            if (order_id === undefined || left.has(order_id) || round > 2) continue;
            await own.change('fulfill', { order_id, carrier: 'UPS', tracking_number: String(order_id) });
            left.add(order_id);
          }
          response = await own.follow(next);
        }
        assert.equal(new Set(listed).size, listed.length, `${sort}: repeated`);
        const missing = idsOf(start).filter((id) => !listed.includes(id) && !left.has(id));
        assert.deepEqual(missing, [], `${sort}: skipped`);
      }
    });
  });

  describe('GET orders/retrieve and orders/schema', () => {
    it('returns the order as it is listed, with a strong ETag and 304 while it is the same', async () => {
      const [listed] = all;
      assert.ok(listed !== undefined);
      const query = { order_id: String(listed.order_id) };
      const response = await service().get('/orders/retrieve', shop, query);
      assert.deepEqual(response.json(), listed);
      const etag = response.header('etag');
      assert.match(etag, /^"/);
      const path = `/orders/retrieve?access_token=${shop.token}&order_id=${query.order_id}`;
      const same = await service().request('GET', path, { headers: { 'if-none-match': etag } });
      assert.equal(same.status, 304);
    });

    it('404: an order that does not exist, or that another merchant has', async () => {
      const other = await Shop.open(service());
      const { order_id } = await other.push('OTHER', { order_id: 600_000 });
      for (const id of [order_id, 600_001]) {
        const response = await service().get('/orders/retrieve', shop, { order_id: String(id) });
        expectError(response, 404, `There is no order with the ID ${id}.`);
      }
      const missing = await service().get('/orders/retrieve', shop);
      expectError(missing, 400, /^order_id: missing, expected a whole number/);
    });

    it('describes the fields of a record in their order', async () => {
      const fields = (await service().get('/orders/schema', shop)).json<
        { field: string; name: string; readonly: boolean }[]
      >();
      assert.deepEqual(
        fields.map(({ field }) => field),
        Object.keys(all[0] ?? {}),
      );
      assert.deepEqual(
        fields.filter(({ readonly }) => !readonly).map(({ field }) => field),
        ['carrier', 'tracking_number', 'service_type', 'annotation', 'merchant_order_id'],
      );
      const names = new Map(fields.map(({ field, name }) => [field, name]));
      assert.deepEqual(
        ['order_id', 'product_identifier', 'variation_identifier'].map((field) => names.get(field)),
        ['Order ID', 'Product Unique ID', 'Variation Unique ID (SKU)'],
      );
    });
  });
});

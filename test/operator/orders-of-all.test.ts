import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { listAudit } from '../../src/audit/list-audit.ts';
import { START_OF_NEWEST } from '../../src/database/lists-of-all.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import type { ListedOrder, MerchantOrderPage } from '../../src/operator/orders/order-list-schema.ts';
import { listNewestOfAll, listNewestOfMerchant } from '../../src/orders/of-all/queries.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import type { Order } from '../../src/orders/record/order.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { whoOf } from '../support/audit.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { signedInOperator } from '../support/operators.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const random = newRandom();
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const statuses = ['paid', 'paid', 'unpaid', 'shipped', 'refunded'] as const;
const products = ['VASE-7', 'VASE-70', 'lamp.1'] as const;
const customer = {
  customer_name: 'Given Family',
  address1: '1 Secret Street',
  city: 'Hidden',
  country: 'AUT',
};

type Placed = Order & { owner: number };

forEachEngine((engine) => {
  describe('the orders of all merchants', () => {
    const service = useService(engine);
    const merchants: TestMerchant[] = [];
    const all: Placed[] = [];
    let token: string;

    const get = (path: string): Promise<ClientResponse> => service().operator('GET', path, token);
    const page = async (query: Record<string, string>): Promise<MerchantOrderPage> => {
      const response = await get(`/orders?${new URLSearchParams(query)}`);
      assert.equal(response.status, 200, response.text);
      return response.json<MerchantOrderPage>();
    };
    const list = async (query: Record<string, string>): Promise<ListedOrder[]> => {
      const found: ListedOrder[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const limit = String(random.whole(1, 7));
        const part = await page({ ...query, limit, ...(after !== undefined && { after }) });
        assert.ok(part.results.length <= Number(limit));
        found.push(...part.results);
        after = part.next;
      }
      return found;
    };
    const listed = async (query: Record<string, string>): Promise<string[]> =>
      (await list(query)).map(({ merchant, external_id: id }) => `${merchant.external_id} ${id}`);
    const namesOf = (orders: readonly Placed[]): string[] =>
      orders.map(({ owner, external_id: id }) => `${owner} ${id}`);

    before(async () => {
      token = await service().newOperatorToken(['orders']);
      for (let index = 0; index < 4; index += 1) {
        const merchant = await service().newMerchant();
        merchants.push(merchant);
        await importDrafts(service(), merchant, [products.map((product) => draft(product))]);
        if (index === 3) continue;
        const drafts = Array.from({ length: random.whole(1, 15) }, (_, number): OrderDraft => {
          const status = random.pick(statuses);
          return orderDraft(`${random.pick(['O', 'ord'])}-${number}`, {
            ...customer,
            product_identifier: random.pick(products),
            created_at: START + random.whole(0, 2) * DAY_MS,
            status,
            ...(status === 'shipped' && { carrier: 'UPS', tracking_number: `1Z ${number}${index}` }),
          });
        });
        const orders = await pushDrafts(service(), merchant, drafts);
        all.push(...orders.map((order) => ({ ...order, owner: merchant.id })));
      }
    });

    const newestFirst = (one: Placed, other: Placed): number =>
      other.created_at - one.created_at || other.owner - one.owner || other.order_id - one.order_id;
    const byMerchant = (one: Placed, other: Placed): number =>
      one.owner - other.owner || other.order_id - one.order_id;

    for (const status of [undefined, 'paid', 'shipped', 'refunded', 'canceled'] as const) {
      it(`are listed newest first, page by page: ${status ?? 'all'}`, async () => {
        const since = START + DAY_MS;
        const expected = all
          .filter((each) => status === undefined || each.status === status)
          .sort(newestFirst);
        const filter = status === undefined ? {} : { status };
        assert.deepEqual(await listed(filter), namesOf(expected));
        const later = expected.filter((each) => each.created_at >= since);
        const sent = { ...filter, since: new Date(since).toISOString() };
        assert.deepEqual(await listed(sent), namesOf(later));
        for (const { id } of merchants) {
          const of = (orders: Placed[]): Placed[] => orders.filter(({ owner }) => owner === id);
          assert.deepEqual(await listed({ ...filter, merchant: String(id) }), namesOf(of(expected)));
          assert.deepEqual(await listed({ ...sent, merchant: String(id) }), namesOf(of(later)));
        }
      });
    }

    it('are found in an index that has all that finding them needs', async () => {
      const isSqlite = engine.name === 'sqlite';
      const after = { ...START_OF_NEWEST, merchantId: 1, status: 'paid', since: 0, limit: 51 } as const;
      for (const [read, index] of [
        [listNewestOfAll.live, /orders_newest\b/],
        [listNewestOfAll.test, /orders_newest_of_test_sides/],
        [listNewestOfMerchant.ofAny, /orders_by_created_at/],
      ] as const) {
        const explain = statement<typeof after, object>(
          `${isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${read.source}`,
        );
        const plan = await service().database.transaction(
          async (connection) => {
            // Few orders would be read without an index.
            for (const name of isSqlite ? [] : ['enable_seqscan', 'enable_bitmapscan'])
              await connection.run(statement<unknown, never>(`SET LOCAL ${name} = off`));
            return JSON.stringify(await connection.all(explain, after));
          },
          { everyNode: true },
        );
        assert.match(plan, index);
        assert.match(plan, isSqlite ? /COVERING INDEX/ : /Index Only Scan/);
        assert.doesNotMatch(plan, /TEMP B-TREE|Seq Scan|Sort Key/);
      }
    });

    const wordsOf = ({ external_id, product_identifier, packages }: Placed): string[] => [
      external_id,
      product_identifier,
      ...packages.map((each) => each.tracking_number.replaceAll(' ', '')),
    ];
    for (const query of ['VASE', 'vase-7', 'vase-70', 'lamp.1', 'o-1', 'O-1', 'ord', '#3', '1z1', 'none']) {
      it(`are found by an ID, an SKU or a tracking number: ${query}`, async () => {
        const text = query.toLowerCase();
        const isFound = (order: Placed): boolean =>
          String(order.order_id) === text.replace('#', '') ||
          wordsOf(order).some((word) => {
            // An ID of the operator’s is found as it was sent, or in upper case.
            const isId = word === order.external_id;
            return isId
              ? word.startsWith(query) || word.startsWith(query.toUpperCase())
              : word.toLowerCase().startsWith(text);
          });
        const expected = all.filter(isFound).sort(byMerchant);
        assert.deepEqual(await listed({ query }), namesOf(expected));
        const paid = expected.filter((each) => each.status === 'paid' && each.created_at > START);
        const since = new Date(START + 1).toISOString();
        assert.deepEqual(await listed({ query, status: 'paid', since }), namesOf(paid));
        const own = expected.filter(({ owner }) => owner === merchants[0]?.id);
        assert.deepEqual(await listed({ query, merchant: String(merchants[0]?.id) }), namesOf(own));
      });
    }

    it('are found by no name of a customer, and show nothing of one', async () => {
      assert.deepEqual(await listed({ query: 'Family' }), []);
      const { text } = await get('/orders');
      for (const value of Object.values(customer)) assert.ok(!text.includes(value), text);
    });

    it('of the test sides are listed and found only if they are asked for', async () => {
      const merchant = merchants[3] ?? assert.fail();
      const { token: access_token } = await service().newTestKey(merchant);
      const form = { access_token, identifier: 'VASE-7', title: 'Vase' };
      const created = await service().request('POST', '/products', { form });
      assert.equal(created.status, 200, created.text);
      const order = orderDraft('TEST-1', { product_identifier: 'VASE-7' });
      await pushDrafts(service(), { id: testSideOf(merchant.id) }, [order]);
      const name = `${merchant.id} TEST-1`;
      for (const query of [{}, { query: 'VASE-7' }, { merchant: String(merchant.id) }]) {
        assert.ok(!(await listed(query)).includes(name));
        assert.deepEqual(await listed({ ...query, test: 'true' }), [name]);
      }
      const path = `/merchants/${merchant.id}/orders/TEST-1`;
      assert.equal((await get(path)).status, 404);
      assert.equal((await get(`${path}?test=true`)).status, 200);
    });

    it('400: a cursor of another list, and a merchant that does not exist', async () => {
      const { next } = await page({ limit: '1' });
      if (next !== null)
        expectError(await get(`/orders?status=paid&after=${next}`), 400, /a cursor of another list/);
      expectError(await get('/orders?after=nothing'), 400, /^after: /);
      expectError(await get('/orders?merchant=nobody'), 400, /nobody/);
    });

    it('are read without their customer, and whoever reveals one is in the merchant’s audit log', async () => {
      const merchant = merchants[0] ?? assert.fail();
      const [order] = await pushDrafts(service(), merchant, [
        orderDraft('REVEALED', { ...customer, product_identifier: 'VASE-7' }),
      ]);
      const path = `/merchants/${merchant.id}/orders/REVEALED`;
      const hidden = (await get(`${path}?hide_customer=true`)).json<OrderRecord>();
      assert.deepEqual([hidden.customer_name, hidden.customer_hidden], [null, true]);
      const revealed = await service().operator('POST', `${path}/reveal`, token);
      const { customer_name, address1, customer_hidden } = revealed.json<OrderRecord>();
      assert.deepEqual(
        [customer_name, address1, customer_hidden],
        [customer.customer_name, customer.address1, false],
      );
      const newestEntry = async () => {
        const [entry] = await listAudit(service().database, merchant.id, { limit: 1 });
        return [entry?.action, entry?.subject, entry && whoOf(entry)];
      };
      const { client: person } = await signedInOperator(service(), 'admin');
      const shown = (await person.get(`/operator/v1${path}`)).json<OrderRecord>();
      assert.deepEqual([shown.customer_name, shown.customer_hidden], [null, true]);
      const followed = await person.get(
        `/operator/v1/merchants/${merchant.id}/orders?changed_since=start&per_page=1000`,
      );
      assert.ok(!followed.text.includes(customer.customer_name), followed.text);
      const subject = String(order?.order_id);
      assert.deepEqual(await newestEntry(), ['order.customer_revealed', subject, 'operator']);
      for (const json of [{ state: 'held', reason: 'address check' }, { state: 'released' }]) {
        service().passTime(1);
        const { status, text } = await service().operator('PUT', `${path}/state`, token, { json });
        assert.equal(status, 200, text);
        assert.deepEqual(await newestEntry(), [`order.${json.state}`, subject, 'operator']);
      }
      service().passTime(1);
      await service().operator('POST', `${path}/redact`, token);
      const after = (await service().operator('POST', `${path}/reveal`, token)).json<OrderRecord>();
      assert.deepEqual([after.customer_name, after.redacted_at === null], [null, false]);
    });
  });
});

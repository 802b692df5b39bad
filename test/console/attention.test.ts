import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type {
  CampaignOverview,
  ImportList,
  Overview,
  ProductCounts,
  ProductPageView,
  ShopAttention,
  ShopConcern,
} from '../../src/console/catalog-api.ts';
import type { KeyList, NewConsoleWebhook, NewToken, WebhookList } from '../../src/console/console-api.ts';
import type { OrderCounts, OverdueOrders } from '../../src/console/order-api.ts';
import { listDueAfter } from '../../src/console/orders/queries.ts';
import {
  countSold,
  countSoldOutBestSellers,
  sumSchedulesByQuarter,
} from '../../src/console/overview/queries.ts';
import { insertInto, type Statement, statement } from '../../src/database/statement.ts';
import { listRejectingImports } from '../../src/imports/queries.ts';
import {
  countFailingProducts,
  type ImageCheckRow,
  listDueChecks,
  listFailingProducts,
  MAX_FAILING,
  setProductImage,
} from '../../src/products/images/queries.ts';
import { sumSchedulesOfMonth } from '../../src/sales/queries.ts';
import { isDown } from '../../src/webhooks/is-down.ts';
import { setFailing } from '../../src/webhooks/queries.ts';
import { Shop } from '../orders/orders-support.ts';
import { Advertiser } from '../placements/placements-support.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, importFile } from '../support/console-imports.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { images } from '../support/images.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const disable = statement<{ id: string; reason: string }, never>(
  'UPDATE webhooks SET disabled_at = 1, disabled_reason = :reason WHERE id = :id',
);

const addFailingCheck = insertInto<Omit<ImageCheckRow, 'checked_at'>>('image_checks', [
  'merchant_id',
  'url_hash',
  'url',
  'check_at',
  'failures',
  'problem',
]);

async function attentionOf(client: ConsoleClient): Promise<ShopAttention[]> {
  const response = await client.get('/overview');
  assert.equal(response.status, 200, response.text);
  return response.json<Overview>().attention;
}

async function find(client: ConsoleClient, concern: ShopConcern): Promise<ShopAttention | undefined> {
  return (await attentionOf(client)).find((each) => each.concern === concern);
}

forEachEngine((engine) => {
  describe('what needs attention', () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await WebhookReceiver.start();
    });
    after(() => receiver.close());
    const environment = { CHECK_IMAGES: 'on' };
    const service = useService(engine, { environment, findAddress: addressesOf(() => [receiver]) });

    const inDays = (days: number): string => new Date(service().now() + days * DAY_MS).toISOString();

    it('is nothing in a new shop, and of one shop never in another one', async () => {
      const [one, other] = [await service().newMerchant(), await service().newMerchant()];
      await importDrafts(service(), one, [[draft('A', { status: 'problematic' })]]);
      const [first, second] = [await signedIn(service(), one), await signedIn(service(), other)];
      assert.deepEqual(await attentionOf(first), [
        { concern: 'products_problematic', count: 1, only: null, part: null, more: false },
      ]);
      assert.deepEqual(await attentionOf(second), []);
    });

    it('products that the marketplace moderates, as many as their lists have', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant, 'viewer');
      await importDrafts(service(), merchant, [
        [
          draft('A', { status: 'problematic' }),
          draft('B', { status: 'problematic' }),
          draft('C', { status: 'banned' }),
          draft('D', { status: 'disabled' }),
        ],
      ]);
      for (const [status, count] of [
        ['problematic', 2],
        ['banned', 1],
      ] as const) {
        assert.equal((await find(client, `products_${status}`))?.count, count);
        const list = (await client.get(`/products?status=${status}`)).json<ProductPageView>();
        assert.equal(list.total_entries, count);
      }
      assert.equal((await attentionOf(client)).length, 2);
    });

    it('sold-out products if customers buy some of them, which come first in the list', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const soldOut = { status: 'sold_out' } as const;
      await importDrafts(service(), merchant, [
        [draft('NEVER', soldOut), draft('SELLS', { status: 'in_stock', sales_count: 9 })],
      ]);
      assert.equal(await find(client, 'products_sold_out'), undefined);
      await importDrafts(service(), merchant, [
        [
          draft('OFTEN', { ...soldOut, sales_count: 7 }),
          draft('ONCE', { ...soldOut, sales_count: 1 }),
          draft('TOO', soldOut),
        ],
      ]);
      const found = await find(client, 'products_sold_out');
      assert.deepEqual([found?.count, found?.part], [4, 2]);
      const path = '/products?status=sold_out&sort=sales_descending';
      const list = (await client.get(path)).json<ProductPageView>();
      assert.equal(list.total_entries, 4);
      assert.deepEqual(
        list.results.slice(0, 2).map(({ identifier }) => identifier),
        ['OFTEN', 'ONCE'],
      );
    });

    it('products with images that do not work, as many as their list has', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant, 'viewer');
      const image = (path: string): string => `https://${receiver.name}:8443${path}`;
      receiver.respond = (_, response) => response.writeHead(404).end();
      await importDrafts(service(), merchant, [
        [
          draft('A', { primary_image: image('/gone'), title: 'Vase' }),
          draft('B', { primary_image: image('/gone'), extra_images: image('/too') }),
          draft('C', { primary_image: image('/gone'), status: 'deleted' }),
          draft('D'),
        ],
      ]);
      const found = await until(() => find(client, 'images_failing'));
      assert.deepEqual(found, { concern: 'images_failing', count: 2, only: null, part: null, more: false });
      const list = async (query: string): Promise<string[]> => {
        const response = await client.get(`/products?images=failing${query}`);
        return response
          .json<ProductPageView>()
          .results.map(({ identifier }) => identifier)
          .sort();
      };
      assert.deepEqual(await list(''), ['A', 'B']);
      assert.deepEqual(await list('&query=vase'), ['A']);
      assert.deepEqual(await list('&status=deleted'), []);
      const counts = (await client.get('/products/counts?images=failing')).json<ProductCounts>();
      assert.equal(counts.all, 2);
      // Right after it was deleted, and before its images were followed.
      await importDrafts(service(), merchant, [[draft('B', { status: 'deleted' })]]);
      assert.equal((await find(client, 'images_failing'))?.count, 1);
      assert.deepEqual(await list(''), ['A']);
      receiver.respond = (_, response) => response.end(images.png.start);
      service().passTime(2 * HOUR_MS);
      await until(async () => (await list('')).length === 0);
      assert.equal(await find(client, 'images_failing'), undefined);
    });

    it('whether more products have images that do not work than are counted', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant, 'viewer');
      receiver.respond = (_, response) => response.writeHead(404).end();
      const primary_image = `https://${receiver.name}:8443/gone`;
      await importDrafts(service(), merchant, [[draft('A', { primary_image })]]);
      await until(() => find(client, 'images_failing'));
      const { database } = service();
      const place = { merchantId: merchant.id, limit: 1 };
      const [product] = await database.all(listFailingProducts, place);
      const { product_id } = product ?? assert.fail('no product');
      const images = Array.from({ length: MAX_FAILING - 1 }, (_, position) => ({
        ...{ merchant_id: merchant.id, product_id, position },
        url_hash: `hash-${position}`,
      }));
      await database.transaction(
        async (connection) => {
          connection.send(
            addFailingCheck,
            images.map(({ merchant_id, url_hash }) => ({
              ...{ merchant_id, url_hash, url: primary_image, check_at: Number.MAX_SAFE_INTEGER },
              ...{ failures: 1, problem: 'is gone.' },
            })),
          );
          connection.send(setProductImage, images);
        },
        { merchantId: merchant.id },
      );
      const found = await find(client, 'images_failing');
      assert.deepEqual([found?.count, found?.more], [1, true]);
    });

    it('orders that are late, as many as their list has, part by part', async () => {
      const shop = await Shop.open(service());
      const client = await signedIn(service(), shop.merchant, 'viewer');
      const due = (hours: number) => ({
        fulfillment_due_date: new Date(service().now() + hours * HOUR_MS).toISOString(),
      });
      await shop.push('SECOND', due(-2));
      await shop.push('FIRST', due(-3));
      await shop.push('THIRD', due(-1));
      await shop.push('LATER', due(5));
      await shop.push('UNDATED', { fulfillment_due_date: null });
      await shop.push('UNPAID', { ...due(-4), status: 'unpaid' });
      const { order_id } = await shop.push('SHIPPED', due(-5));
      await shop.change('fulfill', { order_id, carrier: 'ups', tracking_number: '1Z9' });
      const listed: string[] = [];
      for (let before: string | null = ''; before !== null; ) {
        const query = new URLSearchParams({ limit: '2', ...(before !== '' && { before }) });
        const response = await client.get(`/orders/overdue?${query}`);
        assert.equal(response.status, 200, response.text);
        const part: OverdueOrders = response.json();
        listed.push(...part.orders.map(({ external_id: id }) => String(id)));
        assert.ok(part.orders.every(({ customer_name: name }) => !/Customer/.test(String(name))));
        before = part.next;
      }
      assert.deepEqual(listed, ['FIRST', 'SECOND', 'THIRD']);
      assert.equal((await find(client, 'orders_overdue'))?.count, 3);
      assert.equal((await client.get('/orders/counts')).json<OrderCounts>().overdue, 3);
      for (const before of ['x', '1', '1-', '-1-2', '1-0'])
        assert.equal((await client.get(`/orders/overdue?before=${before}`)).status, 400, before);
    });

    it('webhooks whose deliveries fail, or that the service has disabled because of that', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const add = async (): Promise<string> => {
        // Not of the key that the merchant was created with: its delivery would end the failures.
        const webhook = { url: receiver.url, description: 'ERP', types: 'order.created' };
        const response = await client.post('/webhooks', webhook);
        assert.equal(response.status, 200, response.text);
        return response.json<NewConsoleWebhook>().id;
      };
      const [works, fails, gone, off] = [await add(), await add(), await add(), await add()];
      assert.equal(await find(client, 'webhooks_failing'), undefined);
      const { database } = service();
      await database.transaction((connection) => connection.run(setFailing, { id: fails, failingSince: 1 }));
      assert.deepEqual(await find(client, 'webhooks_failing'), {
        concern: 'webhooks_failing',
        count: 1,
        only: { id: fails, name: receiver.url },
        part: null,
        more: false,
      });
      await database.transaction(async (connection) => {
        await connection.run(disable, { id: gone, reason: 'gone' });
        await connection.run(disable, { id: off, reason: 'owner' });
      });
      const { webhooks } = (await client.get('/webhooks')).json<WebhookList>();
      assert.deepEqual(
        webhooks
          .filter(isDown)
          .map(({ id }) => id)
          .sort(),
        [fails, gone].sort(),
      );
      const found = await find(client, 'webhooks_failing');
      assert.deepEqual([found?.count, found?.only], [2, null]);
      assert.ok(webhooks.some(({ id }) => id === works));
    });

    it('rows that imports rejected, not those of previews', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      await checkFile(client, 'preview.csv', 'identifier,buy_now_price\nA,much\n');
      await importFile(client, 'good.csv', 'identifier,buy_now_price\nA,1\n');
      assert.deepEqual(await attentionOf(client), []);
      const { id } = await importFile(client, 'bad.csv', 'identifier,buy_now_price\nA,much\nB,2\nC,low\n');
      const found = await find(client, 'imports_rejecting');
      assert.deepEqual([found?.count, found?.part, found?.only], [1, 2, { id, name: 'bad.csv' }]);
      const { imports } = (await client.get('/imports?rejecting=true')).json<ImportList>();
      assert.deepEqual(
        imports.map(({ name }) => name),
        ['bad.csv'],
      );
    });

    it('campaigns whose lifetime budget is spent, until it is raised', async () => {
      const advertiser = await Advertiser.open(service(), { lifetime_budget: 1, bid_amount: 0.2 });
      const client = await signedIn(service(), advertiser.merchant);
      await advertiser.state({ placement_id: 'one', price: 0.9 });
      const found = await find(client, 'campaigns_exhausted');
      const { counts } = (await client.get('/campaigns/overview')).json<CampaignOverview>();
      assert.deepEqual([found?.count, counts.by_status['Lifetime Budget Exhausted']], [1, 1]);
      const status = encodeURIComponent('Lifetime Budget Exhausted');
      const list = (await client.get(`/v1/campaigns?status=${status}`)).json<Campaign[]>();
      assert.equal(list.length, 1);
      await advertiser.change('update', { lifetime_budget: 5 });
      assert.equal(await find(client, 'campaigns_exhausted'), undefined);
    });

    it('keys that stop working within a week, as many as their list has', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const create = async (name: string, expires_at: string | null, more = {}): Promise<string> => {
        const response = await client.post('/keys', { name, expires_at, ...more });
        assert.equal(response.status, 200, response.text);
        return response.json<NewToken>().id;
      };
      const soon = await create('Soon', inDays(6.9));
      assert.deepEqual((await find(client, 'keys_expiring'))?.only, { id: soon, name: 'Soon' });
      await create('Later', inDays(7.1));
      await create('Trial', inDays(1), { mode: 'test' });
      await client.post(`/keys/${await create('Revoked', inDays(1))}/revoke`);
      // Only its old token ends soon.
      const rotated = await create('Rotated', null);
      await client.post(`/keys/${rotated}/rotate`, { old_token_until: inDays(1) });
      const { keys, next } = (await client.get('/keys?expiring=true')).json<KeyList>();
      assert.deepEqual(
        keys.map(({ name }) => name),
        ['Soon', 'Trial'],
      );
      assert.equal(next, null);
      assert.equal((await find(client, 'keys_expiring'))?.count, 2);
      service().passTime(2 * DAY_MS);
      assert.equal((await find(client, 'keys_expiring'))?.count, 2, 'Soon and Later');
    });
  });
});

describe('on sqlite, what the overview reads', () => {
  const service = useService(sqlite);
  let database: DatabaseSync;
  before(() => {
    database = new DatabaseSync(join(service().config.dataDirectory, 'tradepost.db'), { readOnly: true });
  });
  after(() => database.close());

  for (const [name, asked, index] of [
    ['best sellers', countSoldOutBestSellers, /COVERING INDEX products_by_sales_count/],
    ['sales of products', countSold, /COVERING INDEX schedules_by_product/],
    ['sales of days', sumSchedulesByQuarter, /COVERING INDEX schedules_by_month/],
    ['sales of a part of a month', sumSchedulesOfMonth, /COVERING INDEX schedules_by_month/],
    ['products with failing images', countFailingProducts, /INDEX image_checks_failing/],
    ['the list of these', listFailingProducts, /COVERING INDEX product_images_by_url/],
    ['due checks of images', listDueChecks, /INDEX image_checks_due/],
    ['overdue orders', listDueAfter, /INDEX orders_by_status_fulfillment_due_date/],
    ['rejected rows', listRejectingImports, /INDEX sqlite_autoindex_import_rejections_1/],
  ] as [string, Pick<Statement, 'sql'>, RegExp][]) {
    it(`${name}: uses an index, and no scan`, () => {
      const { sql } = asked;
      const parameters = Array((sql.match(/\?/g) ?? []).length).fill(null);
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
      const steps = plan.map(({ detail }) => String(detail)).join('\n');
      assert.match(steps, index);
      assert.doesNotMatch(steps, /SCAN (?!best_sellers|failing)/);
    });
  }
});

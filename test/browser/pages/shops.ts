import assert from 'node:assert/strict';
import { OPERATOR } from '../../../src/audit/record-audit.ts';
import type { Campaign } from '../../../src/campaigns/campaign.ts';
import type { ProductPageView, RefusedKeyList } from '../../../src/console/catalog-api.ts';
import { runVerb } from '../../../src/database/write-context.ts';
import { fillDemo } from '../../../src/demo/fill-demo.ts';
import type { OrderRecord } from '../../../src/orders/record/order-record.ts';
import { moderateProduct } from '../../../src/products/moderation/moderate-product.ts';
import { type ConsoleClient, signedIn } from '../../support/console.ts';
import { checkFile, importFile, productLines } from '../../support/console-imports.ts';
import { createKey, revokeKey } from '../../support/keys.ts';
import { vaultOf } from '../../support/orders.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { inviteUser } from '../../support/users.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { row, workbookParts, zip } from '../../support/workbook.ts';

export interface Shops {
  /** An owner of the shop with the demo's data. */
  shop: ConsoleClient;
  viewer: ConsoleClient;
  /** An owner of a shop without data. */
  empty: ConsoleClient;
  link: string;
  /** The internal id of a product with problems. */
  product: number;
  /** Imports: with a preview, with a file that cannot be read, and done. */
  uploads: { ready: string; workbook: string; matching: string; failed: string; done: string };
  /** A webhook whose deliveries fail. */
  webhook: string;
  /** A campaign without products. */
  campaign: string;
  /** IDs of orders: to ship, of which one unit was shipped, on hold, delivered, and refunded. */
  orders: Record<'open' | 'partly' | 'held' | 'shipped' | 'refunded', number>;
}

export async function openShops(service: TestService, receiver: WebhookReceiver): Promise<Shops> {
  const { now } = service;
  const origin = 'https://images.example.com';
  const customers = vaultOf(service);
  const [merchant] = await fillDemo({ ...service, origin, now, lowInventory: 5, lowBudget: 80, customers });
  assert.ok(merchant !== undefined);
  const shop = await signedIn(service, merchant);
  const invite = (email: string, name: string): Promise<{ token: string }> =>
    inviteUser(service, { merchantId: merchant.id, email, name });
  // One view sends this user a new invitation, which ends the first one.
  await invite('new@example.com', 'New');
  const { token } = await invite('next@example.com', 'Next');
  receiver.respond = (_, response) => response.writeHead(500).end('{"error":"The queue is full."}');
  const body = { url: receiver.url, description: 'Warehouse' };
  const webhook = (await shop.post('/webhooks', body)).json<{ id: string }>().id;
  const input = { name: 'Delivered', type: 'Banner', daily_budget: 1234.5 };
  const campaign = (await shop.post('/v1/campaigns', input)).json<Campaign>().internal_id;
  await until(() => receiver.received.length > 0);
  const shops = {
    shop,
    viewer: await signedIn(service, merchant, 'viewer'),
    empty: await signedIn(service, await service.newMerchant()),
    link: `/set-password#token=${token}`,
    product: await findProblems(service, shop, merchant.id),
    uploads: await uploadFiles(shop),
    webhook,
    campaign,
    orders: await findOrders(shop),
  };
  await makeCalls(service, shop, merchant.id);
  return shops;
}

async function findOrders(shop: ConsoleClient): Promise<Shops['orders']> {
  const orders = (await shop.get('/v1/orders?per_page=1000')).json<OrderRecord[]>();
  const find = (matches: (order: OrderRecord) => boolean): number => {
    const found = orders.find(matches);
    assert.ok(found !== undefined);
    return found.order_id;
  };
  return {
    open: find((order) => order.can_cancel && order.product_quantity === 1),
    partly: find((order) => order.can_fulfill && order.shipped_quantity > 0),
    held: find((order) => order.hold_reason !== null),
    shipped: find((order) => order.status === 'shipped' && order.packages[0]?.state === 'delivered'),
    refunded: find((order) => order.status === 'refunded'),
  };
}

async function findProblems(
  { database, now }: TestService,
  shop: ConsoleClient,
  merchantId: number,
): Promise<number> {
  const [product] = (await shop.get('/products?status=in_stock')).json<ProductPageView>().results;
  assert.ok(product !== undefined);
  const reasons = [{ code: 'image', field: 'primary_image', message: 'Show the product from the front.' }];
  const { identifier, internal_id: id } = product;
  const caller = { merchantId, who: OPERATOR, lowInventory: 5 };
  const decision = { identifier, state: 'problematic', reasons } as const;
  await runVerb({ database, now }, caller, moderateProduct, decision, { locksMerchant: true });
  return id;
}

const SHEETS = {
  Prices: row('identifier', 'title', 'buy_now_price', 'Margin') + row('00123', 'Clay pot', 49.9, 0.4),
  Stock: row('identifier', 'available_quantity') + row('00123', 7),
};
const SUPPLIER = `Item no.,Name,List price,Long description,Margin
A-1,Clay pot,12.50,"A round pot for herbs, hand-made from local clay and glazed in the colors of the season",40%
`;

async function uploadFiles(shop: ConsoleClient): Promise<Shops['uploads']> {
  const rows = `${productLines(40)}{"identifier":"P-41","cost_basis":"a lot"}\nnonsense\n`;
  return {
    failed: (await checkFile(shop, 'prices.xlsx', 'PK\x03\x04 xl/workbook.xml', 'failed')).id,
    done: (await importFile(shop, 'pots.ndjson', productLines(1))).id,
    ready: (await checkFile(shop, 'pots.ndjson', rows)).id,
    workbook: (await checkFile(shop, 'prices.xlsx', zip(workbookParts({ sheets: SHEETS })))).id,
    matching: (await checkFile(shop, 'supplier.csv', SUPPLIER)).id,
  };
}

async function makeCalls(service: TestService, shop: ConsoleClient, merchantId: number): Promise<void> {
  const key = await createKey(service, { merchantId, expiresAt: null, name: 'ERP' });
  const revoked = await createKey(service, { merchantId, expiresAt: null, name: 'Old ERP' });
  await revokeKey(service, revoked.id);
  const headers = { 'x-erp-name': 'Ledger 7' };
  for (const [token, path, parameters] of [
    [key.token, '/products', { per_page: '5' }],
    [key.token, '/products', { per_page: '2000', colour: 'red' }],
    [key.token, '/variations/retrieve', { identifier: 'VASE-7-XXL' }],
    [key.token, '/campaigns', { page: 'last' }],
    ...[1, 2, 3].map((page) => [revoked.token, '/products', { page: String(page) }] as const),
  ] as const) {
    const query = new URLSearchParams({ access_token: token, ...parameters });
    await service.request('GET', `${path}?${query}`, { headers });
  }
  await until(async () => {
    const { keys } = (await shop.get('/requests/refused-keys')).json<RefusedKeyList>();
    return keys[0]?.requests === 3;
  });
}

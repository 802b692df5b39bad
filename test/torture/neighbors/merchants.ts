import { generateDrafts } from '../../../bench/service/build-database.ts';
import { fillOrders, generateOrderDrafts } from '../../../bench/service/orders.ts';
import { insertKey } from '../../../src/api-keys/queries.ts';
import { insertAuditEntry } from '../../../src/audit/queries.ts';
import { SERVICE } from '../../../src/audit/record-audit.ts';
import type { CampaignRow } from '../../../src/campaigns/campaign.ts';
import { hashPassword } from '../../../src/console/auth/passwords.ts';
import type { Database } from '../../../src/database/database.ts';
import { insertInto, type Statement, statement } from '../../../src/database/statement.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import type { OrderDraft } from '../../../src/orders/push/order-draft.ts';
import type { CountRow } from '../../../src/products/record/count-queries.ts';
import { type Product, renderProduct } from '../../../src/products/record/product.ts';
import type { ProductDraft } from '../../../src/products/record/product-draft.ts';
import { insertVariation } from '../../../src/products/record/queries.ts';
import type { SalesMonthRow } from '../../../src/sales/queries.ts';
import { importDrafts } from '../../support/catalog.ts';
import { PASSWORD } from '../../support/console.ts';
import { createKey, createOperatorKey } from '../../support/keys.ts';
import { addUser } from '../../support/users.ts';
import type { StressedSettings } from '../server.ts';

/** For rows that older versions could create, but the service no longer does. */
const raw = {
  setRecord: statement<{ merchantId: number; internalId: number; record: string }, never>(
    'UPDATE products SET record = :record WHERE merchant_id = :merchantId AND internal_id = :internalId',
  ),
  records: statement<{ merchantId: number }, { internal_id: number; record: string }>(
    'SELECT internal_id, record FROM products WHERE merchant_id = :merchantId ORDER BY internal_id',
  ),
  count: insertInto<CountRow>('product_counts', ['merchant_id', 'status', 'category', 'products']),
  lastKey: statement<{ merchantId: number; lastKeyId: number }, never>(
    'UPDATE merchant_counters SET last_key_id = :lastKeyId WHERE merchant_id = :merchantId',
  ),
  campaign: insertInto<Pick<CampaignRow, 'id' | 'name' | 'type' | 'status' | 'created_at'> & OfMerchant>(
    'campaigns',
    ['merchant_id', 'id', 'name', 'type', 'status', 'created_at'],
  ),
  month: insertInto<SalesMonthRow & OfMerchant>('sales_months', [
    'merchant_id',
    'month',
    'schedules',
    'sold',
    'total_sales',
    'rated',
    'rating_sum',
  ]),
};

interface OfMerchant {
  merchant_id: number;
}

export interface Sizes {
  quiet: number;
  /** With records of 1.1 MB, which imports accepted before records had a limit. */
  large: number;
  /** With records of 250 KB, close to the limit. */
  limit: number;
  deep: number;
  /** Of the deep merchant. */
  orders: number;
  /** Categories, campaigns and audit entries. */
  crowd: number;
  keys: number;
  variations: number;
}

export const fullSizes: Sizes = {
  quiet: 1_000,
  large: 150,
  limit: 1_000,
  deep: 100_000,
  orders: 100_000,
  crowd: 100_000,
  keys: 6_000,
  variations: 10_000,
};
export const shortSizes: Sizes = {
  quiet: 500,
  large: 12,
  limit: 60,
  deep: 2_000,
  orders: 2_000,
  crowd: 5_000,
  keys: 1_000,
  variations: 2_000,
};

/** The quiet merchant and the hostile ones, named after their data. */
export const merchantNames = ['quiet', 'large', 'limit', 'deep', 'crowded'] as const;
export type MerchantName = (typeof merchantNames)[number];

/** Each key has a rate limit, and a hostile merchant uses all of its keys. */
const KEYS = 20;
const BATCH = 500;

/** Of an operator key that pushes orders. */
export const OPERATOR_TOKEN = 'tpo_neighbors-token-of-the-operator';
/** As many orders of the deep merchant, with the IDs from 1, are not shipped. */
export const UNSHIPPED = 1_000;

export function tokenOf(name: MerchantName, number = 0): string {
  return `neighbors-token-${name}-${number}`;
}

export function tokensOf(name: MerchantName): string[] {
  return Array.from({ length: KEYS }, (_, number) => tokenOf(name, number));
}

export function emailOf(name: MerchantName): string {
  return `${name}@neighbors.example`;
}

/** A variation of the first product: `a`, `b`, or a number for the crowded merchant. */
export function variationOf(suffix: number | string): string {
  const [draft] = generateDrafts(1, 1);
  if (draft === undefined) throw new Error('no draft');
  return `${draft.identifier}-${suffix}`;
}

export async function fill(database: Database, settings: StressedSettings, sizes: Sizes): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const services = { database, now: Date.now };
  const key = { name: 'neighbors', scopes: ['orders'], expiresAt: null, token: OPERATOR_TOKEN } as const;
  await createOperatorKey(services, key);
  for (const name of merchantNames) {
    const merchant = { name, email: null, timeZone: 'UTC', externalId: name };
    const { id } = await createMerchant(services, merchant);
    for (const token of tokensOf(name)) {
      await createKey(services, { merchantId: id, name: 'neighbors', expiresAt: null, token });
    }
    await addUser(services, { merchantId: id, name, email: emailOf(name), passwordHash });
    await insert(
      database,
      raw.month,
      Array.from({ length: name === 'crowded' ? 600 : 24 }, (_, month) => ({
        merchant_id: id,
        month: `${1976 + Math.floor(month / 12)}-${String(1 + (month % 12)).padStart(2, '0')}`,
        schedules: 100,
        sold: 50,
        total_sales: 123_456,
        rated: 10,
        rating_sum: 4_200,
      })),
    );
    const products = { ...sizes, crowded: 1 }[name];
    const drafts = [...generateDrafts(products, 1)];
    const batches = Array.from({ length: Math.ceil(products / BATCH) }, (_, index) =>
      drafts.slice(index * BATCH, (index + 1) * BATCH),
    );
    await importDrafts(services, { id }, batches);
    if (name === 'deep') await fillOrders({ settings, database }, name, ordersOf(sizes, drafts));
    if (name === 'large') await enlarge(database, id, 1_100_000);
    if (name === 'limit') await enlarge(database, id, 250_000);
    if (name === 'crowded') await crowd(database, id, sizes);
  }
  await database.updateStatistics();
}

/** Orders that were shipped before cause no events. */
function ordersOf({ orders }: Sizes, products: readonly ProductDraft[]): Iterable<OrderDraft> {
  const statusOf = (number: number) => (number <= UNSHIPPED ? 'paid' : 'shipped');
  return generateOrderDrafts(orders, { products, statusOf });
}

async function enlarge(database: Database, merchantId: number, bytes: number): Promise<void> {
  const text = proseOf(bytes);
  for (const { internal_id, record } of await database.all(raw.records, { merchantId })) {
    const product = JSON.parse(record) as Product;
    product.description = `${internal_id} ${text}`;
    const row = { merchantId, internalId: internal_id, record: renderProduct(product) };
    await database.transaction((connection) => connection.run(raw.setRecord, row));
  }
}

/** Compresses about as well as prose. */
function proseOf(length: number): string {
  const words = 'linen candle oak brass kettle woven garden lamp glaze silk stone thread copper'.split(' ');
  let text = '';
  for (let turn = 1; text.length < length; turn = (turn * 48_271) % 2_147_483_647) {
    text += `${words[turn % words.length]}${turn % 97} `;
  }
  return text.slice(0, length);
}

async function crowd(database: Database, id: number, sizes: Sizes): Promise<void> {
  const now = Date.now();
  const rows = <Row>(count: number, row: (number: number) => Row): Row[] =>
    Array.from({ length: count }, (_, number) => row(number));
  const uuid = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  await insert(
    database,
    raw.count,
    rows(sizes.crowd, (number) => ({
      merchant_id: id,
      status: '',
      category: `Category no. ${number % 300} | Shelf no. ${number}`,
      products: 1,
    })),
  );
  await insert(
    database,
    insertKey,
    rows(sizes.keys, (number) => ({
      merchant_id: id,
      id: 1_000 + number,
      name: `key no. ${number}`,
      scopes: 'read',
      fields: 'standard' as const,
      token_start: 'abcd',
      token_end: 'wxyz',
      created_at: now,
    })),
  );
  await database.transaction((connection) =>
    connection.run(raw.lastKey, { merchantId: id, lastKeyId: 1_000 + sizes.keys }),
  );
  await insert(
    database,
    raw.campaign,
    rows(sizes.crowd, (number) => ({
      merchant_id: id,
      id: uuid(number),
      name: `Campaign no. ${number}`,
      type: 'AuctionCampaign',
      status: 'Active',
      created_at: now - number,
    })),
  );
  await insert(
    database,
    insertAuditEntry,
    rows(sizes.crowd, (number) => ({
      merchant_id: id,
      id: uuid(number),
      at: now - number,
      who_kind: SERVICE.kind,
      who: SERVICE.name,
      in_operator_log: 0,
      action: 'campaign.created',
      subject: `Campaign no. ${number}`,
    })),
  );
  const [row] = await database.all(raw.records, { merchantId: id });
  if (row === undefined) throw new Error('no product');
  const product = JSON.parse(row.record) as Product;
  const [like] = product.variations;
  if (like === undefined) throw new Error('no variation');
  const variations = Array.from({ length: sizes.variations }, (_, number) => ({
    ...like,
    identifier: `${product.identifier}-${number}`,
    internal_id: 10 + number,
  }));
  product.variations.push(...variations);
  product.description = proseOf(100 * sizes.variations);
  const values = { merchantId: id, internalId: row.internal_id, record: renderProduct(product) };
  await database.transaction((connection) => connection.run(raw.setRecord, values));
  await insert(
    database,
    insertVariation,
    variations.map(({ identifier }) => ({ merchant_id: id, identifier, product_id: product.internal_id })),
  );
}

async function insert<Row>(
  database: Database,
  into: Statement<Row>,
  rows: readonly NoInfer<Row>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 5_000) {
    await database.transaction((connection) => connection.runEach(into, rows.slice(at, at + 5_000)));
  }
}

import { generateDrafts } from '../../../bench/build-database.ts';
import { createKey } from '../../../src/api-keys/create-key.ts';
import { hashPassword } from '../../../src/console/auth/passwords.ts';
import { addUser } from '../../../src/console/users/add-user.ts';
import {
  type Database,
  insertInto,
  type Statement,
  statement,
  type Value,
} from '../../../src/database/database.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { type Product, renderProduct } from '../../../src/products/record/product.ts';
import { importDrafts } from '../../support/catalog.ts';
import { PASSWORD } from '../../support/console.ts';

/** Rows are written directly where the service itself would not create them any more: they exist from before. */
const raw = {
  setRecord: statement('UPDATE products SET record = ? WHERE merchant_id = ? AND internal_id = ?'),
  records: statement<{ internal_id: number; record: string }>(
    'SELECT internal_id, record FROM products WHERE merchant_id = ? ORDER BY internal_id',
  ),
  variation: insertInto('variations', ['merchant_id', 'identifier', 'product_id']),
  count: insertInto('product_counts', ['merchant_id', 'status', 'category', 'products']),
  key: insertInto('api_keys', ['merchant_id', 'id', 'name', 'token_start', 'token_end', 'created_at']),
  lastKey: statement('UPDATE merchants SET last_key_id = ? WHERE id = ?'),
  campaign: insertInto('campaigns', ['merchant_id', 'id', 'name', 'type', 'status', 'created_at']),
  audit: insertInto('audit_entries', ['merchant_id', 'id', 'at', 'who', 'action', 'subject']),
  month: insertInto('sales_months', [
    'merchant_id',
    'month',
    'schedules',
    'sold',
    'total_sales',
    'rated',
    'rating_sum',
  ]),
};

/** How much there is of everything. */
export interface Sizes {
  /** The quiet merchant's products. */
  quiet: number;
  /** Products with records of 1.1 MB, as the importer took them before records had a limit. */
  large: number;
  /** Products with records of 250 KB, close to the limit. */
  limit: number;
  /** Products of the usual size. */
  deep: number;
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
  crowd: 100_000,
  keys: 6_000,
  variations: 10_000,
};
export const shortSizes: Sizes = {
  quiet: 500,
  large: 12,
  limit: 60,
  deep: 2_000,
  crowd: 5_000,
  keys: 1_000,
  variations: 2_000,
};

/** The quiet merchant, and hostile ones; what each of them has is in its name. */
export const merchantNames = ['quiet', 'large', 'limit', 'deep', 'crowded'] as const;
export type MerchantName = (typeof merchantNames)[number];

/** More than one key each: a key has a rate limit, and a hostile merchant uses all of its keys. */
const KEYS = 20;
const BATCH = 500;

export function tokenOf(name: MerchantName, number = 0): string {
  return `neighbors-token-${name}-${number}`;
}

/** All tokens of a merchant. */
export function tokensOf(name: MerchantName): string[] {
  return Array.from({ length: KEYS }, (_, number) => tokenOf(name, number));
}

export function emailOf(name: MerchantName): string {
  return `${name}@neighbors.example`;
}

/** A variation of the first product, which every merchant has: `a`, `b`, or the number of one in the crowd. */
export function variationOf(suffix: number | string): string {
  const [draft] = generateDrafts(1, 1);
  if (draft === undefined) throw new Error('no draft');
  return `${draft.identifier}-${suffix}`;
}

/** Fills an empty database with all merchants. */
export async function fill(database: Database, sizes: Sizes): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  for (const name of merchantNames) {
    const services = { database, now: Date.now };
    const { id } = await createMerchant(services, { name, email: null, timeZone: 'UTC' });
    for (const token of tokensOf(name)) {
      await createKey(services, { merchantId: id, name: 'neighbors', expiresAt: null, token });
    }
    await database.transaction((connection) =>
      addUser(connection, { merchantId: id, name, email: emailOf(name), passwordHash }, Date.now()),
    );
    await insert(
      database,
      raw.month,
      Array.from({ length: name === 'crowded' ? 600 : 24 }, (_, month) => [
        id,
        `${1976 + Math.floor(month / 12)}-${String(1 + (month % 12)).padStart(2, '0')}`,
        100,
        50,
        123_456,
        10,
        4_200,
      ]),
    );
    const products = { ...sizes, crowded: 1 }[name];
    const drafts = [...generateDrafts(products, 1)];
    const batches = Array.from({ length: Math.ceil(products / BATCH) }, (_, index) =>
      drafts.slice(index * BATCH, (index + 1) * BATCH),
    );
    await importDrafts(services, { id }, batches);
    if (name === 'large') await enlarge(database, id, 1_100_000);
    if (name === 'limit') await enlarge(database, id, 250_000);
    if (name === 'crowded') await crowd(database, id, sizes);
  }
  await database.settle();
}

/** Gives each record a description with which it is about so long. */
async function enlarge(database: Database, merchantId: number, bytes: number): Promise<void> {
  const text = proseOf(bytes);
  for (const { internal_id, record } of await database.all(raw.records, [merchantId])) {
    const product = JSON.parse(record) as Product;
    product.description = `${internal_id} ${text}`;
    const row = [renderProduct(product), merchantId, internal_id];
    await database.transaction((connection) => connection.run(raw.setRecord, row));
  }
}

/** Text that packs about as well as prose does. */
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
  const rows = (count: number, row: (number: number) => Value[]): Value[][] =>
    Array.from({ length: count }, (_, number) => row(number));
  const uuid = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  await insert(
    database,
    raw.count,
    rows(sizes.crowd, (number) => [id, '', `Category no. ${number % 300} | Shelf no. ${number}`, 1]),
  );
  await insert(
    database,
    raw.key,
    rows(sizes.keys, (number) => [id, 1_000 + number, `key no. ${number}`, 'abcd', 'wxyz', now]),
  );
  await database.transaction((connection) => connection.run(raw.lastKey, [1_000 + sizes.keys, id]));
  await insert(
    database,
    raw.campaign,
    rows(sizes.crowd, (number) => [
      id,
      uuid(number),
      `Campaign no. ${number}`,
      'AuctionCampaign',
      'Active',
      now - number,
    ]),
  );
  await insert(
    database,
    raw.audit,
    rows(sizes.crowd, (number) => [
      id,
      uuid(number),
      now - number,
      'operator',
      'campaign.created',
      `Campaign no. ${number}`,
    ]),
  );
  const [row] = await database.all(raw.records, [id]);
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
  const values = [renderProduct(product), id, row.internal_id];
  await database.transaction((connection) => connection.run(raw.setRecord, values));
  await insert(
    database,
    raw.variation,
    variations.map(({ identifier }) => [id, identifier, product.internal_id]),
  );
}

async function insert(database: Database, into: Statement, rows: Value[][]): Promise<void> {
  for (let at = 0; at < rows.length; at += 5_000) {
    await database.transaction((connection) => connection.runEach(into, rows.slice(at, at + 5_000)));
  }
}

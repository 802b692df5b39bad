import { type Connection, statement } from '../database.ts';
import { testSideOf } from '../sides.ts';
import { type IndexedProduct, indexFacets, indexProducts } from './index-products.ts';
import { listRecords } from './queries.ts';

/** Few enough that records of the maximum size, about a megabyte, fit in memory. */
const PRODUCTS_PER_STEP = 200;
/** Products are indexed once this many have been read, because each step rewrites the rows of frequent words. */
const PRODUCTS_PER_WRITE = 4_000;

const listMerchants = statement<unknown, { id: number }>('SELECT id FROM merchants ORDER BY id');

/** Indexes the products that exist before the migration, in steps, because SQL cannot fold text. */
export async function fillSearchIndex(connection: Connection): Promise<void> {
  await forEachBatch(connection, async (merchantId, products) => {
    const changes = products.map((product) => ({ before: undefined, after: product }));
    await indexProducts(connection, merchantId, changes);
  });
}

/** Indexes the values by which products are filtered, for an index that was filled without them. */
export async function fillFacets(connection: Connection): Promise<void> {
  await forEachBatch(connection, (merchantId, products) => indexFacets(connection, merchantId, products));
}

/** Reads the products of both sides of each merchant. */
async function forEachBatch(
  connection: Connection,
  index: (merchantId: number, products: IndexedProduct[]) => Promise<void>,
): Promise<void> {
  const merchants = await connection.all(listMerchants);
  for (const merchantId of merchants.flatMap(({ id }) => [id, testSideOf(id)])) {
    let after = 0;
    let batch: IndexedProduct[] = [];
    for (;;) {
      const rows = await connection.all(listRecords, { merchantId, after, limit: PRODUCTS_PER_STEP });
      for (const { record } of rows) batch.push(indexedFields(record));
      after = rows.at(-1)?.internal_id ?? after;
      const isLast = rows.length < PRODUCTS_PER_STEP;
      if (isLast || batch.length >= PRODUCTS_PER_WRITE) {
        await index(merchantId, batch);
        batch = [];
      }
      if (isLast) break;
    }
  }
}

function indexedFields(record: string): IndexedProduct {
  // Only this service writes the column.
  const product = JSON.parse(record) as IndexedProduct;
  const { internal_id, identifier, status, title, created_at, category, condition } = product;
  const { campaign_name, buy_now_price, available_quantity } = product;
  const variations = product.variations.map((variation) => ({ identifier: variation.identifier }));
  const facets = { status, category, condition, campaign_name, buy_now_price, available_quantity };
  return { internal_id, identifier, title, created_at, variations, ...facets };
}

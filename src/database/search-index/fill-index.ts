import { type Connection, statement } from '../database.ts';
import { type IndexedProduct, indexProducts } from './index-products.ts';
import { listRecords } from './queries.ts';

/** Few enough that records of the maximum size, about a megabyte, fit in memory. */
const PRODUCTS_PER_STEP = 200;
/** Products are indexed once this many have been read, because each step rewrites the rows of frequent words. */
const PRODUCTS_PER_WRITE = 4_000;

const listMerchants = statement<unknown, { id: number }>('SELECT id FROM merchants ORDER BY id');

/** Indexes the products that exist before the migration, in steps, because SQL cannot fold text. */
export async function fillSearchIndex(connection: Connection): Promise<void> {
  for (const { id: merchantId } of await connection.all(listMerchants)) {
    let after = 0;
    let batch: IndexedProduct[] = [];
    for (;;) {
      const rows = await connection.all(listRecords, { merchantId, after, limit: PRODUCTS_PER_STEP });
      for (const { record } of rows) batch.push(indexedFields(record));
      after = rows.at(-1)?.internal_id ?? after;
      const isLast = rows.length < PRODUCTS_PER_STEP;
      if (isLast || batch.length >= PRODUCTS_PER_WRITE) {
        const changes = batch.map((product) => ({ before: undefined, after: product }));
        await indexProducts(connection, merchantId, changes);
        batch = [];
      }
      if (isLast) break;
    }
  }
}

function indexedFields(record: string): IndexedProduct {
  // Only this service writes the column.
  const { internal_id, identifier, status, title, created_at, variations } = JSON.parse(
    record,
  ) as IndexedProduct;
  const identifiers = variations.map((variation) => ({ identifier: variation.identifier }));
  return { internal_id, identifier, status, title, created_at, variations: identifiers };
}

import type { Database } from '../../database/database.ts';
import { type Product, parseProduct } from '../record/product.ts';
import { listRecordsAfter } from '../record/queries.ts';

const BATCH_SIZE = 500;

/** Yields a merchant's products in batches, in the order of their creation. */
export async function* exportProducts(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<Product[]> {
  let after = 0;
  for (;;) {
    const rows = await database.all(listRecordsAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) yield rows.map(({ record }) => parseProduct(record));
    after = rows.at(-1)?.internal_id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}

import type { Database } from '../../database/database.ts';
import { type Product, parseProduct } from '../record/product.ts';
import { listRecordsAfter } from '../record/queries.ts';

const BATCH = 500;

/** A merchant's products in the order of their creation, a batch at a time. */
export async function* exportProducts(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<Product[]> {
  let last = 0;
  for (;;) {
    const rows = await database.all(listRecordsAfter, [merchantId, last, BATCH]);
    if (rows.length > 0) yield rows.map(({ record }) => parseProduct(record));
    last = rows.at(-1)?.internal_id ?? last;
    if (rows.length < BATCH) return;
  }
}

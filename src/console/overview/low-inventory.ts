import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import type { Product, ProductStatus } from '../../products/record/product.ts';
import { findRecord } from '../../products/record/queries.ts';
import type { LowProduct } from '../console-api.ts';
import { listLastChanged } from './queries.ts';

const SHOWN = 10;
const STATUSES = ['low_inventory', 'sold_out'] as const satisfies ProductStatus[];
/** Work that takes longer than this lets other requests have their turn; each turn may take as long as theirs. */
const MAX_MS_ON_LOOP = 5;
/** Larger records are not parsed: that would take too long on the thread that serves everybody. */
const LARGEST_RECORD_BYTES = 256 * 1024;

/** A merchant's products with little or no stock, the last changed first. */
export async function lowInventory(
  { database }: { database: Pick<Reader, 'all' | 'first'> },
  merchantId: number,
): Promise<LowProduct[]> {
  const lists = await Promise.all(
    STATUSES.map(async (status) => {
      const rows = await database.all(listLastChanged, [merchantId, status, SHOWN]);
      return rows.map((row) => ({ ...row, status }));
    }),
  );
  const newest = lists
    .flat()
    .sort((one, other) => other.updated_at - one.updated_at || other.internal_id - one.internal_id)
    .slice(0, SHOWN);
  const records = await Promise.all(
    newest.map(({ internal_id: id }) => database.first(findRecord, [LARGEST_RECORD_BYTES, merchantId, id])),
  );
  const products: LowProduct[] = [];
  let begun = performance.now();
  for (const [index, { internal_id, identifier, status }] of newest.entries()) {
    const record = records[index]?.record;
    const shown: Shown | undefined = record == null ? undefined : JSON.parse(record);
    products.push({
      internal_id,
      identifier,
      status,
      title: shown?.title ?? null,
      available_quantity: shown?.available_quantity ?? null,
    });
    if (performance.now() - begun < MAX_MS_ON_LOOP) continue;
    await nextTurn();
    begun = performance.now();
  }
  return products;
}

type Shown = Pick<Product, 'title' | 'available_quantity'>;

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import type { Product } from '../../products/record/product.ts';
import type { LowProduct } from '../console-api.ts';
import { listLowInventory } from './queries.ts';

const MAX_LISTED = 10;
/** No index sorts by quantity, so the lowest are chosen from at most this many of the most recently updated products. */
const MAX_CANDIDATES = 50;
/** After parsing for this long, other requests get a turn. */
const MAX_MS_ON_LOOP = 5;
/** Larger records are not parsed, because that would block the event loop. */
const MAX_RECORD_BYTES = 64 * 1024;

type ShownFields = Pick<Product, 'title' | 'available_quantity'>;

/** Returns up to ten of a merchant's products with low stock, the lowest quantity first, unknown ones last. */
export async function lowInventory(
  { database }: { database: Pick<Reader, 'all'> },
  merchantId: number,
): Promise<LowProduct[]> {
  const rows = await database.all(listLowInventory, {
    merchantId,
    maxBytes: MAX_RECORD_BYTES,
    limit: MAX_CANDIDATES,
  });
  const products: LowProduct[] = [];
  let started = performance.now();
  for (const { internal_id, identifier, record } of rows) {
    const fields: ShownFields | undefined = record === null ? undefined : JSON.parse(record);
    products.push({
      internal_id,
      identifier,
      title: fields?.title ?? null,
      available_quantity: fields?.available_quantity ?? null,
    });
    if (performance.now() - started < MAX_MS_ON_LOOP) continue;
    await nextTurn();
    started = performance.now();
  }
  const quantityOf = ({ available_quantity: quantity }: LowProduct): number =>
    quantity ?? Number.MAX_SAFE_INTEGER;
  return products.sort((a, b) => quantityOf(a) - quantityOf(b)).slice(0, MAX_LISTED);
}

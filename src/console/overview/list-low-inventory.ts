import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Product } from '../../products/record/product.ts';
import type { LowProduct } from '../catalog-api.ts';
import { countSold, listLowInventory, MAX_CANDIDATES } from './queries.ts';

const MAX_LISTED = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The days whose sales tell how long the stock lasts. */
const SALES_DAYS = 30;
/** After parsing for this long, other requests get a turn. */
const MAX_MS_ON_LOOP = 5;
/** Parsing larger records would block the event loop. */
const MAX_RECORD_BYTES = 64 * 1024;

interface Sources {
  database: Pick<Reader, 'all'>;
  offLoop: OffLoopReads;
  now: () => number;
}

/**
 * Lists up to ten products: first those whose stock lasts the shortest time, then those that did not sell,
 * lowest stock first, unknown ones last.
 */
export async function lowInventory(
  { database, offLoop, now }: Sources,
  merchantId: number,
): Promise<LowProduct[]> {
  const limits = { maxBytes: MAX_RECORD_BYTES, limit: MAX_CANDIDATES };
  const rows = await database.all(listLowInventory, { merchantId, ...limits });
  if (rows.length === 0) return [];
  const products = rows.map(({ internal_id: id }) => id);
  const since = now() - SALES_DAYS * DAY_MS;
  // The cost depends on the number of sales.
  const counted = await offLoop.snapshot(merchantId, (reader) =>
    reader.all(countSold, { merchantId, products, since }),
  );
  const soldOf = new Map(counted.map(({ product_id: id, sold }) => [id, sold]));
  const candidates: LowProduct[] = [];
  let started = performance.now();
  for (const { internal_id, identifier, record } of rows) {
    const product: Product | null = record === null ? null : JSON.parse(record);
    const sold = soldOf.get(internal_id) ?? 0;
    const quantity = product?.available_quantity ?? null;
    const cover = quantity === null || sold === 0 ? null : Math.floor((quantity * SALES_DAYS) / sold);
    candidates.push({ internal_id, identifier, product, sold, days_of_cover: cover });
    if (performance.now() - started < MAX_MS_ON_LOOP) continue;
    await nextTurn();
    started = performance.now();
  }
  return candidates
    .sort((one, other) => orderOf(coverOf(one), coverOf(other)) || orderOf(stockOf(one), stockOf(other)))
    .slice(0, MAX_LISTED);
}

/** Not rounded, so that products that last about as long are in the right order. */
function coverOf({ sold, product }: LowProduct): number | null {
  const quantity = product?.available_quantity ?? null;
  return quantity === null || sold === 0 ? null : quantity / sold;
}

function stockOf({ product }: LowProduct): number | null {
  return product?.available_quantity ?? null;
}

/** Compares two values; null is the last one. */
function orderOf(one: number | null, other: number | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one - other;
}

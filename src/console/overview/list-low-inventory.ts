import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reader } from '../../database/database.ts';
import type { Product } from '../../products/record/product.ts';
import type { LowProduct } from '../catalog-api.ts';
import { countSold, listLowInventory } from './queries.ts';

const MAX_LISTED = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The days whose sales tell how long the stock lasts. */
const SALES_DAYS = 30;
/** No index sorts by quantity, so the lowest are chosen among the most recently updated products. */
const MAX_CANDIDATES = 50;
/** After parsing for this long, other requests get a turn. */
const MAX_MS_ON_LOOP = 5;
/** Parsing larger records would block the event loop. */
const MAX_RECORD_BYTES = 64 * 1024;

type ShownFields = Pick<Product, 'title' | 'available_quantity'>;

/** Lists up to ten products, lowest quantity first, unknown ones last, and how long their stock lasts. */
export async function lowInventory(
  { database, now }: { database: Pick<Reader, 'all' | 'first'>; now: () => number },
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
      days_of_cover: null,
    });
    if (performance.now() - started < MAX_MS_ON_LOOP) continue;
    await nextTurn();
    started = performance.now();
  }
  const quantityOf = ({ available_quantity: quantity }: LowProduct): number =>
    quantity ?? Number.MAX_SAFE_INTEGER;
  const listed = products.sort((a, b) => quantityOf(a) - quantityOf(b)).slice(0, MAX_LISTED);
  const since = now() - SALES_DAYS * DAY_MS;
  return await Promise.all(
    listed.map(async (product) => {
      const { internal_id: productId, available_quantity: quantity } = product;
      const row = await database.first(countSold, { merchantId, productId, since });
      const sold = Number(row?.sold ?? 0);
      const cover = quantity === null || sold === 0 ? null : Math.floor((quantity * SALES_DAYS) / sold);
      return { ...product, days_of_cover: cover };
    }),
  );
}

import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { orderRecord } from '../../orders/record/order-record.ts';
import { findOrdersByIds } from '../../orders/record/queries.ts';
import { orderOf } from '../../orders/record/stored-order.ts';
import { orderIdIn } from '../../orders/search/ranges.ts';
import { findMatches } from '../../products/search/find-matches.ts';
import { sortMatches } from '../../products/search/sort-matches.ts';
import { wordsOf } from '../../products/search-index/words.ts';
import type { Found, PaletteProduct } from '../catalog-api.ts';
import { searchOrders } from '../orders/search-orders.ts';
import { findProductsToName } from './queries.ts';

const FIRST_PRODUCTS = { position: 0, perPage: 7 };
const MAX_ORDERS = 5;

interface Sought {
  merchantId: number;
  text: string;
  /** Whether orders are found by names of customers too. */
  byName: boolean;
}

/**
 * Finds the first products and orders that match a text, newest first, with no more than what names them. An
 * order whose ID is the text comes first.
 * @throws {KeyFileUnusable}
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function find(services: Parameters<typeof searchOrders>[0], sought: Sought): Promise<Found> {
  const [products, orders] = await Promise.all([
    findProducts(services, sought.merchantId, sought.text),
    findFirstOrders(services, sought),
  ]);
  return { products, orders };
}

async function findFirstOrders(
  services: Parameters<typeof searchOrders>[0],
  { merchantId, text, byName }: Sought,
): Promise<Found['orders']> {
  const search = { merchantId, text, byName, status: undefined, before: undefined, limit: MAX_ORDERS };
  const number = orderIdIn(text);
  const [named, { orders }] = await Promise.all([
    lookUp(services.database, findOrdersByIds, merchantId, number === undefined ? [] : [number]),
    searchOrders(services, search),
  ]);
  const others = orders.filter(({ order_id }) => order_id !== number);
  return [...named.map((row) => orderRecord(orderOf(row), undefined)), ...others]
    .slice(0, MAX_ORDERS)
    .map(({ order_id, product_name }) => ({ order_id, product_name }));
}

async function findProducts(
  { offLoop }: { offLoop: OffLoopReads },
  merchantId: number,
  text: string,
): Promise<PaletteProduct[]> {
  const search = { merchantId, words: wordsOf(text), status: undefined };
  return await offLoop.snapshot(merchantId, async (reader) => {
    const products = await findMatches(reader, search);
    const sort = { field: 'created_at', direction: 'DESC' } as const;
    const { ids } = await sortMatches(reader, { merchantId, products, sort }, FIRST_PRODUCTS);
    const rows = await lookUp(reader, findProductsToName, merchantId, ids);
    const named = new Map(
      rows.map(({ record, ...product }) => {
        const fields: Pick<PaletteProduct, 'title'> | null = record && JSON.parse(record);
        return [product.internal_id, { ...product, title: fields?.title ?? null }];
      }),
    );
    // While a test side is emptied, its index may still contain a deleted product.
    return ids.flatMap((id) => named.get(id) ?? []);
  });
}

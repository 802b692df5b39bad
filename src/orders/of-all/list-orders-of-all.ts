import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Mode } from '../../database/sides.ts';
import { collectByMerchant, type MerchantPlace } from '../../shared/collect-by-merchant.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import { type Order, type OrderStatus, orderStatuses } from '../record/order.ts';
import { findOrdersByIds } from '../record/queries.ts';
import { orderOf } from '../record/stored-order.ts';
import { findOrders } from '../search/find-orders.ts';
import { externalIdRanges, orderIdIn, wordRange } from '../search/ranges.ts';
import {
  listMerchantsWithOrder,
  listNewestOfAll,
  listNewestOfMerchant,
  type NewestOrder,
  type OrderOfSide,
} from './queries.ts';

export interface OrderOfMerchant {
  merchantId: number;
  order: Order;
}

export interface OrderFilter {
  side: Mode;
  /** The ID of one side of a merchant; undefined for all merchants. */
  merchantId: number | undefined;
  status: OrderStatus | undefined;
  /** Lists only orders created at this time or later, in milliseconds since 1970. */
  since: number | undefined;
  limit: number;
}

interface OrdersPage<Place> {
  results: OrderOfMerchant[];
  /** Undefined on the last page. */
  next: Place | undefined;
}

interface Services {
  database: Database;
  offLoop: OffLoopReads;
  customers: CustomerVault;
  now: () => number;
}

/** Lists orders of all merchants or of one, newest first. Each status is read from its part of an index. */
export async function listOrdersOfAll(
  { database }: Pick<Services, 'database'>,
  { side, merchantId, status, since = Number.MIN_SAFE_INTEGER, limit }: OrderFilter,
  after: NewestOrder,
): Promise<OrdersPage<NewestOrder>> {
  const part = { since, limit: limit + 1 };
  const found = await (merchantId === undefined
    ? Promise.all(
        (status === undefined ? orderStatuses : [status]).map((one) =>
          database.all(listNewestOfAll[side], { ...after, ...part, status: one }),
        ),
      )
    : database.all(listNewestOfMerchant[status === undefined ? 'ofAny' : 'ofStatus'], {
        ...{ ...after, merchantId },
        ...part,
        status: status ?? '',
      }));
  const rows = found.flat().sort(newestFirst);
  const results = rows.slice(0, limit).map(({ merchant_id, ...row }) => ({
    merchantId: merchant_id,
    order: orderOf(row),
  }));
  const last = rows.length > limit ? results.at(-1) : undefined;
  const next = last && {
    createdAt: last.order.created_at,
    merchantId: last.merchantId,
    orderId: last.order.order_id,
  };
  return { results, next };
}

function newestFirst(one: OrderOfSide, other: OrderOfSide): number {
  return (
    other.created_at - one.created_at || other.merchant_id - one.merchant_id || other.order_id - one.order_id
  );
}

/** Before the first order of a search. */
export function startOfSearch(side: Mode): MerchantPlace {
  return { merchantId: side === 'live' ? 0 : Number.MIN_SAFE_INTEGER, id: 0 };
}

/**
 * Finds orders of all merchants or of one, as `findOrders` does, but by no name of a customer: by merchant,
 * and the highest order ID first. Of each merchant, the newest 1,000 matches count. A page can have fewer
 * orders although others follow.
 * @throws {QueueFull} if too many of a merchant's expensive reads are waiting
 */
export async function searchOrdersOfAll(
  services: Services,
  { side, merchantId, status, since, limit, query }: OrderFilter & { query: string },
  after: MerchantPlace,
): Promise<OrdersPage<MerchantPlace>> {
  const { database } = services;
  const find = async (owner: number, before: number, most: number) => {
    const { orders } = await findOrders(services, { merchantId: owner, text: query, byName: false });
    const ids = orders
      .filter((found) => found.order_id < before && (status === undefined || found.status === status))
      .map(({ order_id }) => order_id);
    const read = since === undefined ? ids.slice(0, most) : ids;
    const rows = await lookUp(database, findOrdersByIds, owner, read);
    return rows
      .filter(({ created_at }) => since === undefined || created_at >= since)
      .sort((one, other) => other.order_id - one.order_id)
      .slice(0, most)
      .map((row) => ({ merchantId: owner, id: row.order_id, order: orderOf(row) }));
  };
  const ranges = rangesIn(query);
  const until = side === 'live' ? Number.MAX_SAFE_INTEGER : 0;
  const candidates = async (last: number, most: number): Promise<number[]> => {
    if (merchantId !== undefined) return after.id === 0 && last !== merchantId ? [merchantId] : [];
    const part = { after: last, until, limit: most };
    const rows = await database.all(listMerchantsWithOrder, { ...ranges, ...part });
    return rows.map(({ merchant_id }) => merchant_id);
  };
  const { found, next } = await collectByMerchant({ candidates, find }, after, limit);
  return { results: found.map(({ merchantId: owner, order }) => ({ merchantId: owner, order })), next };
}

/** Ranges of nothing end where they begin. */
function rangesIn(query: string) {
  const nothing = { from: '', end: '' };
  const word = wordRange(query) ?? nothing;
  const [lower = nothing, upper = lower] = externalIdRanges(query);
  return {
    ...{ word: word.from, wordEnd: word.end, from: lower.from, end: lower.end },
    ...{ upperFrom: upper.from, upperEnd: upper.end, orderId: orderIdIn(query) ?? 0 },
  };
}

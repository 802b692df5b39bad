import type { Database } from '../../database/database.ts';
import { boundsOfSearch, type NewestPlace, newestOf, readPlaces } from '../../database/lists-of-all.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Mode } from '../../database/sides.ts';
import { collectByMerchant, type MerchantPlace } from '../../shared/collect-by-merchant.ts';
import { pick } from '../../shared/pick.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import { type OrderStatus, orderStatuses } from '../record/order.ts';
import { type OrderRecord, orderRecord } from '../record/order-record.ts';
import { orderOf } from '../record/stored-order.ts';
import { findOrders } from '../search/find-orders.ts';
import { externalIdRanges, orderIdIn, wordRange } from '../search/ranges.ts';
import {
  findLargeOrder,
  findListed,
  listMerchantsWithOrder,
  listNewestOfAll,
  listNewestOfMerchant,
} from './queries.ts';

/** What the list shows of an order: nothing of its customer. */
export const listedOrderFields = [
  'order_id',
  'external_id',
  'merchant_order_id',
  'status',
  'hold_reason',
  'product_name',
  'product_identifier',
  'variation_identifier',
  'product_quantity',
  'shipped_quantity',
  'disbursement_amount',
  'refund_amount',
  'fulfillment_due_date',
  'created_at',
  'paid_at',
  'updated_at',
  'redacted_at',
] as const satisfies (keyof OrderRecord)[];
export type ListedOrderRecord = Pick<OrderRecord, (typeof listedOrderFields)[number]>;

export interface OrderOfMerchant {
  merchantId: number;
  order: ListedOrderRecord;
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
export async function listOrdersOfAllMerchants(
  { database }: Pick<Services, 'database'>,
  { side, merchantId, status, since = Number.MIN_SAFE_INTEGER, limit }: OrderFilter,
  after: NewestPlace,
): Promise<OrdersPage<NewestPlace>> {
  const part = { since, limit: limit + 1 };
  const statuses = status === undefined ? orderStatuses : [status];
  const places = await Promise.all(
    merchantId === undefined
      ? statuses.map((one) => database.all(listNewestOfAll[side], { ...after, ...part, status: one }))
      : [
          database.all(listNewestOfMerchant[status === undefined ? 'ofAny' : 'ofStatus'], {
            ...{ ...after, merchantId },
            ...part,
            status: status ?? '',
          }),
        ],
  );
  const { results, next } = newestOf(places, limit);
  return { results: await readOrders(database, results), next };
}

async function readOrders(database: Database, places: readonly MerchantPlace[]): Promise<OrderOfMerchant[]> {
  const statements = { listed: findListed, large: findLargeOrder };
  return await readPlaces(database, statements, places, ({ merchant_id, id, ...row }, data) => {
    const order = orderOf({ ...row, order_id: id, data });
    return { merchantId: merchant_id, order: pick(orderRecord(order, undefined), listedOrderFields) };
  });
}
/**
 * Finds orders of all merchants or of one, as `findOrders` does, but by no name of a customer: by merchant,
 * and the highest order ID first. Of each merchant, the newest 1,000 matches count. A page can have fewer
 * orders although others follow.
 * @throws {QueueFull} if too many of a merchant's expensive reads are waiting
 */
export async function searchOrdersOfAllMerchants(
  services: Services,
  { side, merchantId, status, since, limit, query }: OrderFilter & { query: string },
  after: MerchantPlace,
): Promise<OrdersPage<MerchantPlace>> {
  const { database } = services;
  const find = async (owner: number, before: number, most: number): Promise<MerchantPlace[]> => {
    const { orders } = await findOrders(services, { merchantId: owner, text: query, byName: false });
    return orders
      .filter(
        (found) =>
          found.order_id < before &&
          (status === undefined || found.status === status) &&
          (since === undefined || found.created_at >= since),
      )
      .slice(0, most)
      .map(({ order_id: id }) => ({ merchantId: owner, id }));
  };
  const ranges = rangesIn(query);
  const candidates = async (last: number, most: number): Promise<number[]> => {
    if (merchantId !== undefined) return after.id === 0 && last !== merchantId ? [merchantId] : [];
    const part = { after: last, until: boundsOfSearch[side].end, limit: most };
    const rows = await database.all(listMerchantsWithOrder, { ...ranges, ...part });
    return rows.map(({ merchant_id }) => merchant_id);
  };
  const { found, next } = await collectByMerchant({ candidates, find }, after, limit);
  return { results: await readOrders(database, found), next };
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

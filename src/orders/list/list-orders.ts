import type { Database, Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { PageStarts } from '../../products/list/page-starts.ts';
import { mapInSlices } from '../../shared/map-in-slices.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import type { FramedPage } from '../../sync/framed-page.ts';
import type { Order, OrderStatus } from '../record/order.ts';
import { boundsOf } from '../record/order-ranges.ts';
import { findOrderCounters, findOrdersByIds, listOrderCounts } from '../record/queries.ts';
import type { RenderOrders } from '../record/show-orders.ts';
import { orderOf } from '../record/stored-order.ts';
import { type ListStatements, type Place, type Scan, statementsFor } from './queries.ts';
import { type SortName, sorts } from './sorts.ts';

export interface OrderListing {
  merchantId: number;
  status: OrderStatus | undefined;
  sort: SortName;
  /** Lists only orders created later; in milliseconds since 1970. */
  createdAfter: number | undefined;
  /** Lists only orders that were paid at such a time, `until` excluded. */
  paid?: { from: number; until: number } | undefined;
  /** Lists only orders of this product. */
  productId?: number | undefined;
}

/** With `after`, the page begins after that position, and `page` is only reported. */
interface OrderPageRequest extends FramedPage {
  listing: OrderListing;
  after: string | undefined;
}

export interface OrderPage {
  /** The orders, as the elements of a JSON array. */
  json: string;
  count: number;
  /** Counts all pages. */
  total: number;
  /** The cursor after the last order; null if no more follow, undefined for a page that only has a number. */
  after: string | null | undefined;
}

/** Skipping or reading more than this takes too long for the event loop. */
const MAX_SKIPPED_ON_LOOP = 5_000;
/** Skipping more than this takes longer than looking at the sizes of ranges. */
const MAX_SKIPPED = 2_000;
const MAX_READ_ON_LOOP = 250;
const EMPTY = { json: '', count: 0, after: null };
const EARLIEST = -1;

/** Lists orders page by page (contract for orders, “Calls”). */
export class OrderLister {
  readonly #database: Database;
  readonly #offLoop: OffLoopReads;
  readonly #starts = new PageStarts();

  constructor(database: Database, offLoop: OffLoopReads) {
    this.#database = database;
    this.#offLoop = offLoop;
  }

  /**
   * Many orders are rendered in the merchant's turn for long reads, so that several such requests do not
   * share the event loop.
   * @throws {DomainError} `invalid_parameters` for the cursor of another list
   * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
   */
  async list(request: OrderPageRequest, render: RenderOrders): Promise<OrderPage> {
    const { listing, page, perPage, after } = request;
    const cursor = cursorOf(listing);
    const place = after === undefined ? undefined : decode(after, cursor);
    const total = await this.#count(listing);
    const position = (page - 1) * perPage;
    if (place === undefined && position >= total) return { ...EMPTY, total };
    // One more than the page has: whether more follow. After a place, the order at the place too.
    const limit = perPage + (place === undefined ? 1 : 2);
    const from = place ?? (await this.#findPlace(listing, position));
    if (from === undefined) return { ...EMPTY, total };
    const read = async (reader: Reader): Promise<OrderPage> => {
      const found = await readFrom(reader, listing, from, limit);
      const following = place === undefined || found[0]?.order_id !== place.order_id ? found : found.slice(1);
      const orders = following.slice(0, perPage);
      const last = orders.at(-1);
      const hasMore = following.length > perPage && last !== undefined;
      return {
        json: await render(reader, orders),
        count: orders.length,
        total,
        after: hasMore ? encodeCursor(cursor, placeOf(last, listing.sort)) : null,
      };
    };
    const isCheap = limit <= MAX_READ_ON_LOOP + 2 && scanOf(listing) === 'none';
    return isCheap ? await read(this.#database) : await this.#offLoop.snapshot(listing.merchantId, read);
  }

  /** Returns the orders with these ids that the merchant has, in the order of a list. */
  async withIds(listing: OrderListing, ids: readonly number[]): Promise<Order[]> {
    const rows = await lookUp(this.#database, findOrdersByIds, listing.merchantId, [...new Set(ids)]);
    const { field, direction } = sorts[listing.sort];
    const sign = direction === 'ASC' ? 1 : -1;
    return rows
      .sort((one, other) => sign * (one[field] - other[field] || one.order_id - other.order_id))
      .map(orderOf)
      .filter(
        ({ status, created_at, paid_at }) =>
          (listing.status === undefined || status === listing.status) &&
          created_at > (listing.createdAfter ?? EARLIEST) &&
          isWithin(paid_at, listing.paid),
      );
  }

  async #count(listing: OrderListing): Promise<number> {
    const { merchantId, status } = listing;
    if (scanOf(listing) !== 'none') {
      const { count } = statementsOf(listing);
      const selection = selectionOf(listing);
      const row = await this.#offLoop.snapshot(merchantId, (reader) => reader.first(count, selection));
      return row?.orders ?? 0;
    }
    const counts = await this.#database.all(listOrderCounts, { merchantId });
    return counts.reduce(
      (sum, each) => sum + (status === undefined || each.status === status ? each.orders : 0),
      0,
    );
  }

  /** Returns the place of the order at a position, found from the nearest place that is known. */
  async #findPlace(listing: OrderListing, position: number): Promise<Place | undefined> {
    const first = firstPlace(listing.sort);
    if (position === 0) return first;
    const { merchantId } = listing;
    const moved = async (): Promise<number> =>
      (await this.#database.first(findOrderCounters, { merchantId }))?.moved_revision ?? 0;
    const order = await moved();
    const name = JSON.stringify(listing);
    this.#starts.forgetBefore(name, order);
    const near = this.#starts.nearest(name, position);
    const known =
      near === undefined
        ? { place: first, position: 0 }
        : { place: { key: Number(near.key), order_id: near.internal_id }, position: near.position };
    const isScanned = scanOf(listing) !== 'none';
    const isFar = position - known.position > MAX_SKIPPED && !isScanned;
    const { place: from, position: passed } = isFar
      ? ((await this.#findRange(listing, position)) ?? known)
      : known;
    const offset = position - passed;
    const find = (reader: Reader): Promise<Place | undefined> => findFrom(reader, listing, from, offset);
    // A list that selects by more than the status may skip any number of orders.
    const isCheap = offset <= MAX_SKIPPED_ON_LOOP && !isScanned;
    const place = isCheap ? await find(this.#database) : await this.#offLoop.snapshot(merchantId, find);
    // An order that moved meanwhile may have shifted the position.
    if (place !== undefined && order === (await moved()))
      this.#starts.remember(name, { order, position, key: place.key, internal_id: place.order_id });
    return place;
  }

  /** Returns the start of the range with the order at a position, and the position of its first order. */
  async #findRange(
    listing: OrderListing,
    position: number,
  ): Promise<{ place: Place; position: number } | undefined> {
    const { merchantId, status, sort } = listing;
    const { range } = statementsOf(listing);
    const found = await this.#database.first(range, { merchantId, status: status ?? '', position });
    if (found === undefined) return undefined;
    const { field, direction } = sorts[sort];
    const { lowest, highest } = boundsOf(field, found.number);
    const key = direction === 'ASC' ? lowest : highest;
    const { order_id } = firstPlace(sort);
    return { place: { key, order_id: field === 'order_id' ? key : order_id }, position: found.preceding };
  }
}

function isWithin(time: number | null, period: OrderListing['paid']): boolean {
  if (period === undefined) return true;
  return (time ?? EARLIEST) >= period.from && (time ?? EARLIEST) < period.until;
}

/** Before all orders of a list. */
function firstPlace(sort: SortName): Place {
  const key = sorts[sort].direction === 'ASC' ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return { key, order_id: key };
}

async function readFrom(
  reader: Reader,
  listing: OrderListing,
  place: Place,
  limit: number,
): Promise<Order[]> {
  const { from } = statementsOf(listing);
  const rows = await reader.all(from, { ...selectionOf(listing), ...place, limit, offset: 0 });
  return await mapInSlices(rows, orderOf);
}

async function findFrom(
  reader: Reader,
  listing: OrderListing,
  place: Place,
  offset: number,
): Promise<Place | undefined> {
  const { find } = statementsOf(listing);
  return await reader.first(find, { ...selectionOf(listing), ...place, limit: 1, offset });
}

function selectionOf({ merchantId, status, createdAfter, paid, productId }: OrderListing) {
  return {
    merchantId,
    status: status ?? '',
    createdAfter: createdAfter ?? EARLIEST,
    paidFrom: paid?.from ?? EARLIEST,
    paidUntil: paid?.until ?? Number.MAX_SAFE_INTEGER,
    productId: productId ?? 0,
  };
}

function scanOf({ createdAfter, paid, productId }: OrderListing): Scan {
  if (productId !== undefined) return 'product';
  if (paid !== undefined) return 'paid';
  return createdAfter === undefined ? 'none' : 'created';
}

function statementsOf(listing: OrderListing): ListStatements {
  return statementsFor(listing.sort, listing.status !== undefined, scanOf(listing));
}

function cursorOf({ merchantId, status, sort, createdAfter, paid, productId }: OrderListing) {
  const selected = [status, sort, createdAfter, paid?.from, paid?.until, productId];
  return { merchantId, listing: `orders ${selected.map((value) => value ?? '').join(' ')}` };
}

function decode(after: string, cursor: ReturnType<typeof cursorOf>): Place {
  const [key, id] = decodeCursor('after', after, cursor, ['integer', 'integer']);
  return { key: Number(key), order_id: Number(id) };
}

function placeOf(order: Order, sort: SortName): [number, number] {
  const { field } = sorts[sort];
  return [order[field] ?? EARLIEST, order.order_id];
}

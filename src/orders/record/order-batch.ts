import type { Actor } from '../../database/actor.ts';
import { lookUp } from '../../database/look-up.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { type NewEvent, recordEvents } from '../../events/record-event.ts';
import { revisionAt } from '../../products/record/revision.ts';
import { OrderHistory } from '../history/order-history.ts';
import { extendHistory } from './history.ts';
import { type Order, sellerFeesOf } from './order.ts';
import { RangeChanges } from './order-ranges.ts';
import { wordsOfOrder } from './order-words.ts';
import {
  addToOrderCount,
  addToOrderRange,
  findOrderCounters,
  findOrdersByExternalIds,
  findOrdersByIds,
  insertOrder,
  insertWord,
  type OrderCounters,
  type OrderRow,
  type StoredOrder,
  setClosedAt,
  setOrderCounters,
  updateOrder,
  updateOrderState,
  type WordRow,
} from './queries.ts';
import { orderOf, orderRow } from './stored-order.ts';

/** An order after a change, and what happened. `updated_at` and the revision are set when it is written. */
export interface OrderChange {
  order: Order;
  events: readonly NewEvent[];
  /** The units that go back to the stock that the order took them from. */
  restock?: number;
}

interface State {
  /** Undefined for a new order. */
  row: StoredOrder | undefined;
  stored: Order | undefined;
  current: Order;
}

const NO_ORDERS: OrderCounters = {
  revision: 0,
  moved_revision: 0,
  last_order_id: 0,
  next_overdue_at: null,
};

/**
 * Writes one merchant's orders in a transaction, which must have locked the merchant: `open` reads stored
 * ones, `put` keeps changes in memory, and `write` writes the orders, their counts and the revision.
 */
export class OrderBatch {
  readonly #context: WriteContext;
  readonly #states = new Map<number, State>();
  readonly #idsByExternalId = new Map<string, number>();
  readonly #events: NewEvent[] = [];
  readonly #history = new OrderHistory();
  readonly #counters: OrderCounters;
  #lastId: number;

  private constructor(context: WriteContext, counters: OrderCounters, rows: readonly StoredOrder[]) {
    this.#context = context;
    this.#counters = counters;
    this.#lastId = counters.last_order_id;
    for (const row of rows) {
      const order = orderOf(row);
      this.#states.set(order.order_id, { row, stored: order, current: order });
      this.#idsByExternalId.set(order.external_id, order.order_id);
    }
  }

  static async open(
    context: WriteContext,
    { ids = [], externalIds = [] }: { ids?: readonly number[]; externalIds?: readonly string[] },
  ): Promise<OrderBatch> {
    const { connection, merchantId } = context;
    // Not awaited one by one, so that a database server gets them in one round trip.
    const [counters, byId, byExternalId] = await Promise.all([
      connection.first(findOrderCounters, { merchantId }),
      lookUp(connection, findOrdersByIds, merchantId, [...new Set(ids)]),
      lookUp(connection, findOrdersByExternalIds, merchantId, [...new Set(externalIds)]),
    ]);
    return new OrderBatch(context, counters ?? NO_ORDERS, [...byId, ...byExternalId]);
  }

  /** The order in its current state, if there is one among the orders that were read or put. */
  order(id: number): Order | undefined {
    return this.#states.get(id)?.current;
  }

  /** Whether the order was not stored before. */
  isNew(id: number): boolean {
    return this.#states.get(id)?.row === undefined;
  }

  orderOfExternalId(externalId: string): Order | undefined {
    const id = this.#idsByExternalId.get(externalId);
    return id === undefined ? undefined : this.order(id);
  }

  /** Returns the id of a new order that states none: above the ids of all orders of the merchant. */
  nextId(): number {
    return this.#lastId + 1;
  }

  /** `who` is by default the batch's. */
  put({ order, events }: OrderChange, who: Actor = this.#context.who): Order {
    const { order_id } = order;
    const state = this.#states.get(order_id);
    const { now } = this.#context;
    const changed = { ...order, updated_at: now, history: extendHistory(order, events, now) };
    this.#states.set(order_id, { row: state?.row, stored: state?.stored, current: changed });
    this.#history.add(who, state?.current, changed);
    this.#idsByExternalId.set(order.external_id, order_id);
    this.#lastId = Math.max(this.#lastId, order_id);
    this.#events.push(...events);
    return changed;
  }

  /** Writes every order that `put` changed. `order` returns them with their revisions afterwards. */
  async write(): Promise<void> {
    const changed = [...this.#states.values()].filter(({ stored, current }) => stored !== current);
    if (changed.length === 0) return;
    const { connection, merchantId: merchant_id, now } = this.#context;
    const revision = Math.max(revisionAt(now), this.#counters.revision + 1);
    const isMoved = changed.some(({ stored, current }) => stored === undefined || hasMoved(stored, current));
    const inserts: OrderRow[] = [];
    const updates: OrderRow[] = [];
    const stateUpdates: OrderRow[] = [];
    const closed: { merchant_id: number; order_id: number; closed_at: number | null }[] = [];
    const counts = new Map<Order['status'], number>();
    const ranges = new RangeChanges();
    const words: WordRow[] = [];
    for (const state of changed) {
      const { row, stored } = state;
      state.current = { ...state.current, revision };
      const { order_id, status, redacted_at } = state.current;
      const order = orderRow(merchant_id, state.current, row?.announced_due_date);
      if (stored === undefined) inserts.push(order);
      else (keepsPlace(stored, state.current) ? stateUpdates : updates).push(order);
      ranges.add(row, order);
      for (const word of newWords(stored, state.current)) words.push({ merchant_id, word, order_id });
      if (stored?.status === status) continue;
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (stored === undefined) continue;
      counts.set(stored.status, (counts.get(stored.status) ?? 0) - 1);
      if (isClosed(stored) !== isClosed(state.current) && redacted_at === null)
        closed.push({ merchant_id, order_id, closed_at: isClosed(state.current) ? now : null });
    }
    if (inserts.length > 0) await connection.runEach(insertOrder, inserts);
    connection.send(updateOrder, updates);
    connection.send(updateOrderState, stateUpdates);
    connection.send(setClosedAt, closed);
    connection.send(
      addToOrderCount,
      [...counts].map(([status, orders]) => ({ merchant_id, status, orders })),
    );
    connection.send(
      addToOrderRange,
      ranges.all.map((range) => ({ merchant_id, ...range })),
    );
    connection.send(insertWord, words);
    this.#history.send(this.#context, revision);
    const moved_revision = isMoved ? revision : this.#counters.moved_revision;
    const due = [...inserts, ...updates, ...stateUpdates].map(
      ({ overdue_at }) => overdue_at ?? Number.POSITIVE_INFINITY,
    );
    const next = Math.min(this.#counters.next_overdue_at ?? Number.POSITIVE_INFINITY, ...due);
    const next_overdue_at = Number.isFinite(next) ? next : null;
    const counters = { revision, moved_revision, last_order_id: this.#lastId, next_overdue_at };
    connection.send(setOrderCounters, [{ merchantId: merchant_id, ...counters }]);
    recordEvents(this.#context, this.#events);
  }
}

/** Whether the order's customer will not be needed again, unless a refund fails. */
export function isClosed({ status }: Pick<Order, 'status'>): boolean {
  return status === 'shipped' || status === 'refunded' || status === 'canceled';
}

/** Words stay: a tracking number that was corrected still finds the order. */
function newWords(stored: Order | undefined, current: Order): Set<string> {
  const words = wordsOfOrder(current);
  return stored === undefined ? words : words.difference(wordsOfOrder(stored));
}

/** Whether only columns of `updateOrderState` can differ. */
function keepsPlace(before: Order, after: Order): boolean {
  return (
    before.created_at === after.created_at &&
    before.paid_at === after.paid_at &&
    before.fulfillment_due_date === after.fulfillment_due_date &&
    sellerFeesOf(before) === sellerFeesOf(after) &&
    (before.status === 'canceled') === (after.status === 'canceled')
  );
}

/** Whether its place in a list may be another one. */
function hasMoved(before: Order, after: Order): boolean {
  return (
    before.status !== after.status ||
    before.paid_at !== after.paid_at ||
    before.fulfillment_due_date !== after.fulfillment_due_date
  );
}

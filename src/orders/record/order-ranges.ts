import type { OrderStatus } from './order.ts';

/** What lists are sorted by. */
export const sortFields = ['order_id', 'paid_at', 'fulfillment_due_date'] as const;
export type OrderSortField = (typeof sortFields)[number];

/** The orders with a status whose field has one of `WIDTHS[field]` values in a row. */
export interface OrderRange {
  field: OrderSortField;
  status: OrderStatus;
  number: number;
}

/** The columns of an order that decide where it is in lists. Times are -1 for none. */
export type OrderPlace = Record<OrderSortField, number> & { status: OrderStatus };

/** A year of orders has some hundred ranges. Times are in milliseconds: three days. */
const WIDTHS: Record<OrderSortField, number> = {
  order_id: 2 ** 12,
  paid_at: 2 ** 28,
  fulfillment_due_date: 2 ** 28,
};

export function rangeOf(field: OrderSortField, value: number): number {
  return Math.floor(value / WIDTHS[field]);
}

/** The lowest and the highest value of a range. */
export function boundsOf(field: OrderSortField, number: number): { lowest: number; highest: number } {
  const lowest = number * WIDTHS[field];
  return { lowest, highest: lowest + WIDTHS[field] - 1 };
}

/** Counts how many orders come to ranges, less those that leave them. */
export class RangeChanges {
  readonly #changes = new Map<string, OrderRange & { orders: number }>();

  /** `before` is undefined for a new order. */
  add(before: OrderPlace | undefined, after: OrderPlace): void {
    for (const field of sortFields) {
      if (before !== undefined) this.#count(field, before, -1);
      this.#count(field, after, 1);
    }
  }

  get all(): (OrderRange & { orders: number })[] {
    return [...this.#changes.values()].filter(({ orders }) => orders !== 0);
  }

  #count(field: OrderSortField, place: OrderPlace, change: number): void {
    const { status } = place;
    const number = rangeOf(field, place[field]);
    const name = `${field} ${status} ${number}`;
    const known = this.#changes.get(name);
    if (known === undefined) this.#changes.set(name, { field, status, number, orders: change });
    else known.orders += change;
  }
}

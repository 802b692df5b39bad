import type { RevealedCustomer } from '../orders/customer/reveal-customers.ts';
import type { OrderStatus } from '../orders/record/order.ts';
import type { OrderRecord } from '../orders/record/order-record.ts';

// The part of the console's API about orders. Pages list, ship and refund orders through the public API.

/** GET /console/api/orders/counts */
export interface OrderCounts {
  all: number;
  by_status: Record<OrderStatus, number>;
  /** Orders to ship whose due date has passed; at most `MOST_DUE`. */
  overdue: number;
  /** Orders to ship by the end of the merchant's day, without overdue ones; at most `MOST_DUE`. */
  due_today: number;
  /** When that day ends. */
  day_ends_at: string;
}

/** The greatest number that is counted. */
export const MOST_DUE = 10_000;

/** GET /console/api/orders/overdue?before=&limit=50: orders to ship that are late, earliest due first. */
export interface OverdueOrders {
  /** Without their customers. */
  orders: OrderRecord[];
  /** `before` of the next part; null at the end. */
  next: string | null;
}

/**
 * GET /console/api/orders/search?query=&status=&before=&limit=50: orders that match, newest first, without
 * their customers. `next` is `before` of the next part; null at the end.
 */
export interface OrderSearchPart {
  orders: OrderRecord[];
  next: number | null;
  /** The numbers of all orders that match, of any status. */
  counts: Pick<OrderCounts, 'all' | 'by_status'>;
  /** Whether all orders that match were found. */
  complete: boolean;
}

/** GET /console/api/orders/ID/timeline: what happened to an order, oldest first. */
export interface OrderTimeline {
  entries: TimelineEntry[];
}
export interface TimelineEntry {
  at: string;
  what:
    | 'created'
    | 'paid'
    | 'acknowledged'
    | 'shipped'
    | 'package'
    | 'held'
    | 'released'
    | 'refund_requested'
    | 'refund_settled'
    | 'refund_failed'
    | 'canceled'
    | 'erased';
  /** The ID of the package or the refund. */
  id: string | null;
  /** The state of the package, or why the order was held. */
  detail: string | null;
}

/** POST /console/api/orders/reveal with `order_ids`: names and addresses. The audit log records each. */
export interface RevealedCustomers {
  customers: RevealedCustomer[];
}

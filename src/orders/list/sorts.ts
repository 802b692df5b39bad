import type { OrderStatus } from '../record/order.ts';

/** The orders of lists, by their names in requests. Ties are broken by `order_id` in the same direction. */
export const sorts = {
  id_desc: { field: 'order_id', direction: 'DESC' },
  id_asc: { field: 'order_id', direction: 'ASC' },
  fulfillment_due_date_desc: { field: 'fulfillment_due_date', direction: 'DESC' },
  fulfillment_due_date_asc: { field: 'fulfillment_due_date', direction: 'ASC' },
  paid_at_desc: { field: 'paid_at', direction: 'DESC' },
  paid_at_asc: { field: 'paid_at', direction: 'ASC' },
} as const;
export type SortName = keyof typeof sorts;

/** The orders that a filter selects: all, or those with one status. */
export const filters = {
  unfulfilled: 'paid',
  fulfilled: 'shipped',
  refunded: 'refunded',
  all: undefined,
} as const satisfies Record<string, OrderStatus | undefined>;
export type FilterName = keyof typeof filters;

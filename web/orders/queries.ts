import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  OrderCounts,
  OrderSearchPart,
  OrderTimeline,
  OverdueOrders,
} from '../../src/console/order-api.ts';
import { call, callPage } from '../server/call.ts';
import { listQuery } from '../server/list-query.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { type OrderListing, tabOf, toParameters } from './listing.ts';
import type { Order } from './order.ts';

const RARELY_CHANGES = { staleTime: 5 * 60_000 };

/** A page of orders. The previous page stays visible while the next one loads. */
export function pageQuery(listing: OrderListing) {
  const parameters = toParameters(listing);
  return queryOptions({
    queryKey: ['orders', 'page', parameters],
    queryFn: ({ signal }) => callPage('listOrders', parameters, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The orders to ship that are late, earliest due first. */
export const overdueQuery = listQuery<OverdueOrders>(['orders', 'overdue'], 'orders/overdue');

/** The orders that match the query of a list, newest first. */
export function searchQuery(listing: OrderListing) {
  const parameters = { query: listing.query, status: tabOf(listing).status };
  return {
    ...listQuery<OrderSearchPart>(['orders', 'search', parameters], 'orders/search', parameters),
    placeholderData: keepPreviousData,
  };
}

export const countsQuery = queryOptions({
  queryKey: ['orders', 'counts'],
  queryFn: ({ signal }) => request<OrderCounts>('orders/counts', { signal }),
});

/** One order, without its customer. */
export function orderQuery(id: string) {
  return queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => call('retrieveOrder', { order_id: id }, { signal }),
  });
}

export function timelineQuery(id: number) {
  return queryOptions({
    queryKey: ['orders', 'timeline', id],
    queryFn: ({ signal }) => request<OrderTimeline>(`orders/${id}/timeline`, { signal }),
  });
}

/** The orders with these IDs that exist, in no particular order. At most 100. */
export async function ordersWithIds(ids: readonly number[], signal?: AbortSignal): Promise<Order[]> {
  const parameters = { order_ids: ids.join(','), per_page: ids.length };
  return (await callPage('listOrders', parameters, signal === undefined ? {} : { signal })).results;
}

/** The codes of carriers, by their names. */
export const carriersQuery = queryOptions({
  queryKey: ['orders', 'carriers'],
  queryFn: ({ signal }) => call('listCarriers', {}, { signal }),
  ...RARELY_CHANGES,
});

/** The names of countries, by their codes. */
export const countriesQuery = queryOptions({
  queryKey: ['orders', 'countries'],
  queryFn: async ({ signal }) => {
    const codes = await call('listCountryCodes', {}, { signal });
    return new Map(Object.entries(codes).map(([name, code]) => [code, name]));
  },
  ...RARELY_CHANGES,
});

export const refundReasonsQuery = queryOptions({
  queryKey: ['orders', 'refund-reasons'],
  queryFn: ({ signal }) => call('listRefundReasons', {}, { signal }),
  ...RARELY_CHANGES,
});

/** Loads again what changed orders change. */
export async function refreshOrders(): Promise<void> {
  const lists = ['page', 'overdue', 'search', 'counts', 'one', 'timeline'].map((name) => ['orders', name]);
  await refresh(...lists, 'overview', 'audit');
}

/** Shows a changed order. */
export function showOrder(order: Order): void {
  queryClient.setQueryData(orderQuery(String(order.order_id)).queryKey, order);
  void refreshOrders();
}

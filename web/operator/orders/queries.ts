import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { refresh } from '../../server/query-client.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';
import type { RecordSearch } from '../record-filters.tsx';

export type ListedOrder = OperatorResponseOf<'listOrders'>['results'][number];
export type Order = OperatorResponseOf<'retrieveOrder'>;

export interface OrderSearch extends RecordSearch {
  /** Lists only orders of so many days. */
  days?: string;
}

const DAY_MS = 86_400_000;

export function ordersQuery({ days, ...search }: OrderSearch, now: number) {
  // All pages of a list have the same beginning.
  const start = Math.floor(now / DAY_MS) * DAY_MS - Number(days) * DAY_MS;
  const since = days === undefined || Number.isNaN(start) ? undefined : new Date(start).toISOString();
  const parameters = { ...search, since };
  return pagedQuery(['orders', parameters], 'listOrders', { parameters, position: 'after' });
}

/** The order without its customer's data. */
export function orderQuery(merchant: string, order: string, test: string | undefined) {
  return queryOptions({
    queryKey: ['order', merchant, order, test],
    queryFn: ({ signal }) =>
      call('retrieveOrder', { external_id: merchant, order }, { test, hide_customer: true }, { signal }),
  });
}

/** Loads what a change of an order concerns. */
export function refreshOrder(merchant: string, order: string): Promise<void> {
  return refresh('orders', ['order', merchant, order], 'audit');
}

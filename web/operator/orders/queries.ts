import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { startOfDaysAgo } from '../../format/days.ts';
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

/** Days begin at midnight in the time zone, so that all pages of a list have the same beginning. */
export function ordersQuery({ days, ...search }: OrderSearch, now: number, timeZone: string) {
  const isNumber = days !== undefined && /^\d{1,3}$/.test(days);
  const parameters = {
    ...search,
    since: isNumber ? startOfDaysAgo(Number(days), now, timeZone) : undefined,
  };
  return pagedQuery(['orders', parameters], 'listOrders', { parameters });
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

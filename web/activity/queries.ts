import { keepPreviousData } from '@tanstack/react-query';
import type {
  ActivityList,
  ActivityProducts,
  ConsoleProductHistory,
} from '../../src/console/activity-api.ts';
import { listQuery } from '../server/list-query.ts';

/** The filters in the URL. */
export interface ActivitySearch {
  who?: string;
  type?: string;
  day?: string;
  field?: string;
}

/** What happened in the shop, newest first. */
export function activityQuery(search: ActivitySearch) {
  return {
    ...listQuery<ActivityList>(['audit', 'activity', search], 'activity', { ...search, limit: 50 }),
    placeholderData: keepPreviousData,
  };
}

/** The products of an entry. */
export function activityProductsQuery(id: string) {
  return listQuery<ActivityProducts>(['audit', 'products', id], 'activity/products', { id, limit: 20 });
}

/** The changes of a product, newest first. */
export function productHistoryQuery(identifier: string) {
  return listQuery<ConsoleProductHistory>(['products', 'history', identifier], 'products/history', {
    identifier,
    limit: 10,
  });
}

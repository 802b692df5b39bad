import { queryOptions } from '@tanstack/react-query';
import type {
  ListedMerchant,
  ListedMerchantKey,
  MerchantUser,
} from '../../../clients/typescript/src/operator-operations.ts';
import { refresh } from '../../server/query-client.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';

export type { ListedMerchant, ListedMerchantKey, MerchantUser };

/** The filters in the URL of the list. */
export interface MerchantSearch {
  query?: string;
  state?: string;
  failing?: string;
}

export function merchantsQuery(search: MerchantSearch) {
  return pagedQuery(['merchants', search], 'listMerchants', { parameters: search });
}

export function merchantQuery(id: string) {
  return queryOptions({
    queryKey: ['merchant', id],
    queryFn: ({ signal }) => call('retrieveMerchant', { external_id: id }, {}, { signal }),
  });
}

export function keysQuery(id: string) {
  return pagedQuery(['merchant', id, 'keys'], 'listMerchantKeys', {
    path: { external_id: id },
  });
}

export function usersQuery(id: string) {
  return queryOptions({
    queryKey: ['merchant', id, 'users'],
    queryFn: ({ signal }) => call('listMerchantUsers', { external_id: id }, {}, { signal }),
  });
}

/** Loads what a change of a merchant concerns. */
export function refreshMerchant(id: string): Promise<void> {
  return refresh('merchants', ['merchant', id], 'overview', 'audit');
}

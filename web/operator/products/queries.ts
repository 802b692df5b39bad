import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';
import type { RecordSearch } from '../record-filters.tsx';

export type ListedProduct = OperatorResponseOf<'listProducts'>['results'][number];
export type MerchantProduct = OperatorResponseOf<'retrieveProduct'>;

export function productsQuery(search: RecordSearch) {
  return pagedQuery(['products', search], 'listProducts', { parameters: search });
}

export function productQuery(merchant: string, identifier: string, test: string | undefined) {
  return queryOptions({
    queryKey: ['product', merchant, identifier, test],
    queryFn: ({ signal }) =>
      call('retrieveProduct', { external_id: merchant, identifier }, { test }, { signal }),
  });
}

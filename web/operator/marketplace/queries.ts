import { queryOptions } from '@tanstack/react-query';
import type { MarketplaceSettings } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';

export type { MarketplaceSettings };

export const marketplaceQuery = queryOptions({
  queryKey: ['marketplace'],
  queryFn: ({ signal }) => call('retrieveMarketplace', {}, {}, { signal }),
});

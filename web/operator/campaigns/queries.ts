import { infiniteQueryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';

export type MerchantCampaign = OperatorResponseOf<'listCampaigns'>['results'][number];

export interface CampaignFilter {
  state?: string;
}

export function campaignsQuery({ state }: CampaignFilter) {
  return infiniteQueryOptions({
    queryKey: ['campaigns', state ?? ''],
    queryFn: ({ pageParam, signal }) =>
      call('listCampaigns', {}, { state, after: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';

export type MerchantCampaign = OperatorResponseOf<'listCampaigns'>['results'][number];

/** What the campaigns and placements in one currency come to. */
export type CurrencyFigures = OperatorResponseOf<'retrieveCampaignFigures'>['currencies'][number];

export interface CampaignFilter {
  state?: string;
  /** Of the figures above the list. */
  hours?: string;
  currency?: string;
}

const REFETCH_MS = 30_000;

export function figuresQuery(hours: string | undefined) {
  return queryOptions({
    queryKey: ['campaigns', 'figures', hours],
    queryFn: ({ signal }) =>
      call('retrieveCampaignFigures', {}, hours === undefined ? {} : { hours }, { signal }),
    refetchInterval: REFETCH_MS,
  });
}

export function campaignsQuery({ state }: CampaignFilter) {
  const parameters = state === undefined ? {} : { status: state };
  return pagedQuery(['campaigns', parameters], 'listCampaigns', { parameters });
}

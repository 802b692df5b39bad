import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignOverview, CampaignReturns } from '../../src/console/catalog-api.ts';
import { call, callPage } from '../server/call.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** The parameters of the list, with the names of the API. */
export interface CampaignsSearch {
  status?: string;
  page?: string;
  per_page?: string;
}

/** A page of campaigns. The previous page stays visible while the next one loads. */
export function campaignsQuery({ status, page = '1', per_page = '25' }: CampaignsSearch) {
  const search = { status, page, per_page };
  return queryOptions({
    queryKey: ['campaigns', 'page', search],
    queryFn: ({ signal }) => callPage('listCampaigns', search, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The return on spend of the campaigns of a page that had placements. */
export function campaignReturnsQuery(campaigns: readonly Campaign[]) {
  const ids = campaigns.filter(({ placements }) => placements > 0).map(({ internal_id: id }) => id);
  return queryOptions({
    queryKey: ['campaigns', 'returns', ids],
    queryFn: ({ signal }) =>
      request<CampaignReturns>(`campaigns/returns${stringifySearch({ ids: ids.join(',') })}`, { signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** The campaigns that the palette finds. */
export const newestCampaignsQuery = queryOptions({
  queryKey: ['campaigns', 'newest'],
  queryFn: async ({ signal }) => (await callPage('listCampaigns', { per_page: 250 }, { signal })).results,
});

/** The numbers of campaigns by status, and the types that a new campaign can have. */
export const campaignOverviewQuery = queryOptions({
  queryKey: ['campaigns', 'overview'],
  queryFn: ({ signal }) => request<CampaignOverview>('campaigns/overview', { signal }),
});

/** The types that are suggested where any type is allowed. */
export const campaignTypesQuery = queryOptions({
  queryKey: ['campaigns', 'types'],
  queryFn: ({ signal }) => call('listCampaignTypes', {}, { signal }),
});

/** One campaign. If a loaded list contains it, that copy is shown immediately. */
export function campaignQuery(id: string) {
  return queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => call('retrieveCampaign', { internal_id: id }, { signal }),
    placeholderData: () => {
      const lists = queryClient.getQueriesData<{ results: Campaign[] }>({ queryKey: ['campaigns', 'page'] });
      const listed = lists.flatMap(([, list]) => list?.results ?? []);
      return listed.find(({ internal_id }) => internal_id === id);
    },
  });
}

/** Loads again what a new or changed campaign changes. */
export function refreshCampaigns(): void {
  const parts = ['page', 'newest', 'overview', 'names', 'diagnosis'].map((part) => ['campaigns', part]);
  void refresh(...parts, 'overview', 'audit');
}

/** Shows a changed campaign. */
export function showCampaign(campaign: Campaign): void {
  queryClient.setQueryData(campaignQuery(campaign.internal_id).queryKey, campaign);
  refreshCampaigns();
}

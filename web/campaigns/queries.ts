import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { queryClient, refresh } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** The parameters of the list, with the names of the API. */
export interface CampaignsSearch {
  status?: string;
  page?: string;
  per_page?: string;
}

export function campaignsQuery({ status, page = '1', per_page = '25' }: CampaignsSearch) {
  const query = stringifySearch({ status, page, per_page });
  return queryOptions({
    queryKey: ['campaigns', 'page', query],
    queryFn: ({ signal }) => request<CampaignPage>(`campaigns${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One campaign. If a loaded list contains it, that copy is shown immediately. */
export function campaignQuery(id: string) {
  return queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: ({ signal }) => request<Campaign>(`campaigns/${encodeURIComponent(id)}`, { signal }),
    placeholderData: () => {
      const lists = queryClient.getQueriesData<CampaignPage>({ queryKey: ['campaigns', 'page'] });
      const listed = lists.flatMap(([, list]) => list?.campaigns ?? []);
      return listed.find(({ internal_id }) => internal_id === id);
    },
  });
}

/** Loads again what a new or changed campaign changes. */
export function refreshCampaigns(): void {
  void refresh(['campaigns', 'page'], ['campaigns', 'names'], 'overview', 'audit');
}

/** Shows a changed campaign. */
export function showCampaign(campaign: Campaign): void {
  queryClient.setQueryData(campaignQuery(campaign.internal_id).queryKey, campaign);
  refreshCampaigns();
}

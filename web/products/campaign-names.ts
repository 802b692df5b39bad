import { queryOptions } from '@tanstack/react-query';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

/** The names of the latest campaigns, for suggestions. */
export const campaignNamesQuery = queryOptions({
  queryKey: ['campaigns', 'names'],
  queryFn: async ({ signal }) => {
    const { campaigns } = await request<CampaignPage>('campaigns?per_page=100', { signal });
    return [...new Set(campaigns.map(({ name }) => name))];
  },
});

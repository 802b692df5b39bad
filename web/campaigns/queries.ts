import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CampaignPage } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export function campaignsQuery({
  page = '1',
  per_page: perPage = '25',
}: {
  page?: string;
  per_page?: string;
}) {
  const query = new URLSearchParams({ page, per_page: perPage }).toString();
  return queryOptions({
    queryKey: ['campaigns', query],
    queryFn: ({ signal }) => request<CampaignPage>(`campaigns?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { DeliveryList, WebhookList } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => request<WebhookList>('webhooks', { signal }),
});

/** Pages of deliveries to a webhook, newest event first. They change while events are sent. */
export const deliveriesQuery = (id: string, onlyFailed: boolean) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', onlyFailed],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ only_failed: String(onlyFailed) });
      if (pageParam !== null) query.set('before', String(pageParam));
      return request<DeliveryList>(`webhooks/${id}/deliveries?${query}`, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 5_000,
  });

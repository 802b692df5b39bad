import { queryOptions } from '@tanstack/react-query';
import type { DeliveryList, WebhookList } from '../../src/console/console-api.ts';
import { listQuery } from '../server/list-query.ts';
import { request } from '../server/request.ts';

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => request<WebhookList>('webhooks', { signal }),
});

/** Deliveries to a webhook, newest event first. They change while events are sent. */
export const deliveriesQuery = (id: string, onlyFailed: boolean) => ({
  ...listQuery<DeliveryList>(['webhooks', id, 'deliveries', onlyFailed], `webhooks/${id}/deliveries`, {
    only_failed: onlyFailed,
  }),
  refetchInterval: 5_000,
});

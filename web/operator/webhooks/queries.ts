import { infiniteQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import type { DeliveryList } from '../../../src/console/console-api.ts';
import type { deliveriesQuery } from '../../webhooks/queries.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';

export type MerchantWebhook = OperatorResponseOf<'retrieveMerchantWebhook'>;

/** What the page’s URL has. */
export interface WebhooksSearch {
  state?: string;
  merchant?: string;
  webhook?: string;
}

export const webhooksQuery = (state: string | undefined) =>
  pagedQuery(['webhooks', 'list', state], 'listMerchantWebhooks', {
    parameters: { state },
    position: 'after',
  });

export const webhookQuery = (path: { external_id: string; webhook: string }) =>
  queryOptions({
    queryKey: ['webhooks', path],
    queryFn: ({ signal }) => call('retrieveMerchantWebhook', path, {}, { signal }),
  });

/** As in the console. */
export function merchantDeliveriesQuery(
  path: { external_id: string; webhook: string },
  onlyFailed: boolean,
): ReturnType<typeof deliveriesQuery> {
  const queryKey: QueryKey = ['webhooks', path, 'deliveries', onlyFailed];
  const listed = infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<DeliveryList> => {
      const parameters = { only_failed: onlyFailed, before: pageParam ?? undefined };
      const { results, next } = await call('listMerchantWebhookDeliveries', path, parameters, { signal });
      return { deliveries: results, next };
    },
    initialPageParam: null as DeliveryList['next'],
    getNextPageParam: ({ next }) => next,
  });
  return { ...listed, refetchInterval: 5_000 };
}

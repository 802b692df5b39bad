import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type { DeliveryList, LastAttempt, Replayed } from '../../../src/console/console-api.ts';
import type { deliveriesQuery } from '../../webhooks/queries.ts';
import { call } from '../call.ts';

/** What an operator does with a webhook. */
export interface WebhookCalls {
  change: (enabled: boolean) => Promise<unknown>;
  test: () => Promise<LastAttempt>;
  replay: (events: { event_id: string } | { since: string; only_failed: boolean }) => Promise<Replayed>;
  /** As in the console. */
  deliveries: (onlyFailed: boolean) => ReturnType<typeof deliveriesQuery>;
}

/** The calls for a webhook of a merchant. */
export function callsForMerchant(merchant: string, id: string): WebhookCalls {
  const path = { external_id: merchant, webhook: id };
  return {
    change: (enabled) => call('changeMerchantWebhook', path, { enabled }),
    test: () => call('testMerchantWebhook', path),
    replay: (events) => call('replayMerchantWebhook', path, events),
    deliveries: deliveriesBy(['webhooks', path], 'listMerchantWebhookDeliveries', path),
  };
}

/** The calls for a webhook of the marketplace. */
export function callsForMarketplace(id: string): WebhookCalls {
  const path = { webhook: id };
  return {
    change: (enabled) => call('changeWebhook', path, { enabled }),
    test: () => call('testWebhook', path),
    replay: (events) => call('replayWebhook', path, events),
    deliveries: deliveriesBy(['webhooks', path], 'listWebhookDeliveries', path),
  };
}

function deliveriesBy(
  queryKey: QueryKey,
  name: 'listMerchantWebhookDeliveries' | 'listWebhookDeliveries',
  path: Readonly<Record<string, string>>,
): WebhookCalls['deliveries'] {
  return (onlyFailed) => {
    const listed = infiniteQueryOptions({
      queryKey: [...queryKey, 'deliveries', onlyFailed] as QueryKey,
      queryFn: async ({ pageParam, signal }): Promise<DeliveryList> => {
        const parameters = { only_failed: onlyFailed, after: pageParam ?? undefined };
        const { results, next } = await call(name, path, parameters, { signal });
        return { deliveries: results, next };
      },
      initialPageParam: null as DeliveryList['next'],
      getNextPageParam: ({ next }) => next,
    });
    return { ...listed, refetchInterval: 5_000 };
  };
}

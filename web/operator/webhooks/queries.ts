import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';

type MerchantWebhook = OperatorResponseOf<'retrieveMerchantWebhook'>;
/** A webhook of a merchant or of the marketplace. */
export type AnyWebhook = MerchantWebhook | OperatorResponseOf<'retrieveWebhook'>;

/** Whose webhook it is, no merchant for the marketplace's, and whether it receives events of test data. */
export const merchantOf = (
  webhook: AnyWebhook,
): { merchant: MerchantWebhook['merchant'] | undefined; test: boolean } =>
  'merchant' in webhook ? webhook : { merchant: undefined, test: false };

/** What the page’s URL has. */
export interface WebhooksSearch {
  /** `marketplace`: the marketplace’s own webhooks, in all states. */
  state?: string;
  merchant?: string;
  webhook?: string;
  /** `true`: the webhooks of the merchant’s test data. */
  test?: string;
}

export const webhooksQuery = ({ state, merchant, test }: WebhooksSearch) => {
  const parameters = { state, merchant, test };
  return pagedQuery(['webhooks', 'list', parameters], 'listWebhooksOfAllMerchants', { parameters });
};

/** All webhooks of the marketplace itself. */
export const marketplaceWebhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks', 'marketplace'],
    queryFn: ({ signal }) => call('listWebhooks', {}, {}, { signal }),
  });

/** A webhook of a merchant, or of the marketplace if no merchant is given. */
export const webhookQuery = (merchant: string | undefined, id: string) =>
  queryOptions({
    queryKey: ['webhooks', { merchant, id }],
    queryFn: ({ signal }): Promise<AnyWebhook> =>
      merchant === undefined
        ? call('retrieveWebhook', { webhook: id }, {}, { signal })
        : call('retrieveMerchantWebhook', { external_id: merchant, webhook: id }, {}, { signal }),
  });

import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { pagedQuery } from '../paged.ts';

export type MerchantCampaign = OperatorResponseOf<'listCampaigns'>['results'][number];

export interface CampaignFilter {
  state?: string;
}

export function campaignsQuery(filter: CampaignFilter) {
  return pagedQuery(['campaigns', filter], 'listCampaigns', { parameters: filter, position: 'after' });
}

import type { Campaign } from '../../campaigns/campaign.ts';
import { campaignSchema } from '../../campaigns/campaign-schema.ts';
import { nextSchema } from '../../http/parameters/page.ts';
import { record } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import { namedMerchantSchema } from '../merchants/named-merchant-schema.ts';

export interface MerchantCampaign {
  merchant: NamedMerchant;
  /** Of the amounts. */
  currency: string;
  campaign: Campaign;
}

const merchantCampaignSchema = record<MerchantCampaign>('MerchantCampaign', 'A campaign of a merchant.', {
  merchant: namedMerchantSchema,
  currency: { type: 'string', description: 'The ISO 4217 code of the currency of the amounts.' },
  campaign: campaignSchema,
});

interface CampaignPage {
  results: MerchantCampaign[];
  next: string | null;
}

export const campaignPageSchema = record<CampaignPage>(
  'MerchantCampaignPage',
  'Campaigns of all merchants, newest first.',
  {
    results: { type: 'array', items: merchantCampaignSchema },
    next: nextSchema,
  },
);

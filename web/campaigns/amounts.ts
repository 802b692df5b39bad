import type { Campaign } from '../../src/campaigns/campaign.ts';

/** The amounts of a campaign: their labels in the form and in the table, and the text for no amount. */
export const amountFields = [
  { name: 'bid_amount', label: 'Bid amount', short: 'Bid', none: 'None' },
  { name: 'daily_budget', label: 'Daily budget', short: 'Daily', none: 'No limit' },
  {
    name: 'daily_budget_per_product',
    label: 'Daily budget per product',
    short: 'Daily / product',
    none: 'No limit',
  },
  { name: 'lifetime_budget', label: 'Lifetime budget', short: 'Lifetime', none: 'No limit' },
  {
    name: 'lifetime_budget_per_product',
    label: 'Lifetime budget per product',
    short: 'Lifetime / product',
    none: 'No limit',
  },
] as const satisfies { name: keyof Campaign; label: string; short: string; none: string }[];

/** The values of a campaign's form, as typed; '' for an amount that is not set. */
export type CampaignValues = Record<'name' | 'type' | (typeof amountFields)[number]['name'], string>;

/** The values of a new campaign. */
export const emptyValues: CampaignValues = {
  name: '',
  type: 'AuctionCampaign',
  bid_amount: '',
  daily_budget: '',
  daily_budget_per_product: '',
  lifetime_budget: '',
  lifetime_budget_per_product: '',
};

/** Returns the values of a campaign as they are typed. */
export function valuesOf(campaign: Campaign): CampaignValues {
  const typed = (amount: number | null): string => (amount === null ? '' : String(amount));
  return {
    name: campaign.name,
    type: campaign.type,
    bid_amount: typed(campaign.bid_amount),
    daily_budget: typed(campaign.daily_budget),
    daily_budget_per_product: typed(campaign.daily_budget_per_product),
    lifetime_budget: typed(campaign.lifetime_budget),
    lifetime_budget_per_product: typed(campaign.lifetime_budget_per_product),
  };
}

/** Returns the fields that differ, for the server: null clears an amount. */
export function changedValues(
  before: CampaignValues,
  after: CampaignValues,
): Partial<Record<keyof CampaignValues, string | null>> {
  const names = Object.keys(before) as (keyof CampaignValues)[];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, after[name].trim() === '' && name !== 'name' ? null : after[name]]),
  );
}

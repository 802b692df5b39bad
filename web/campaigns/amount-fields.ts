import type { Campaign } from '../../src/campaigns/campaign.ts';

/** The amounts of a campaign: their labels, and the text for no amount. */
export const amountFields = [
  { name: 'bid_amount', label: 'Bid amount', none: 'None' },
  { name: 'daily_budget', label: 'Daily budget', none: 'No limit' },
  {
    name: 'daily_budget_per_product',
    label: 'Daily budget per product',
    none: 'No limit',
  },
  { name: 'lifetime_budget', label: 'Lifetime budget', none: 'No limit' },
  {
    name: 'lifetime_budget_per_product',
    label: 'Lifetime budget per product',
    none: 'No limit',
  },
] as const satisfies { name: keyof Campaign; label: string; none: string }[];

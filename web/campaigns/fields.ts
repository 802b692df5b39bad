/** The amounts of a campaign, as a form and as a table's columns have them. */
export const amountFields = [
  { name: 'bid_amount', label: 'Bid amount', short: 'Bid' },
  { name: 'daily_budget', label: 'Daily budget', short: 'Daily' },
  { name: 'daily_budget_per_product', label: 'Daily budget per product', short: 'Daily, a product' },
  { name: 'lifetime_budget', label: 'Lifetime budget', short: 'Lifetime' },
  { name: 'lifetime_budget_per_product', label: 'Lifetime budget per product', short: 'Lifetime, a product' },
] as const;

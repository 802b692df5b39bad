import type { Figure } from '../shared/figure.ts';

/** Of a campaign. */
export const campaignFigures = {
  products: {
    name: 'campaigns.products',
    formula:
      'The number of products whose `campaign_name` is the name of the campaign, without deleted products.',
    unit: 'count',
    lines: 'products',
  },
  spend_today: {
    name: 'campaigns.spend_today',
    formula: 'The sum of `price` of the campaign’s delivered placements whose `day` is today.',
    unit: 'amount',
    lines: 'placements',
  },
  spend: {
    name: 'campaigns.spend',
    formula: 'The sum of `price` of the campaign’s delivered placements.',
    unit: 'amount',
    lines: 'placements',
  },
  placements: {
    name: 'campaigns.placements',
    formula: 'The number of the campaign’s delivered placements.',
    unit: 'count',
    lines: 'placements',
  },
} as const satisfies Record<string, Figure>;

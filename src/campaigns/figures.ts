import { defineFigures } from '../shared/figure.ts';

/** Of a campaign. */
export const campaignFigures = defineFigures('campaigns', {
  products: {
    formula:
      'The number of products whose `campaign_name` is the name of the campaign, without deleted products.',
    unit: 'count',
    lines: 'products',
  },
  spend_today: {
    formula: 'The sum of `price` of the campaign’s delivered placements whose `day` is today.',
    unit: 'amount',
    lines: 'placements',
  },
  spend: {
    formula: 'The sum of `price` of the campaign’s delivered placements.',
    unit: 'amount',
    lines: 'placements',
  },
  placements: {
    formula: 'The number of the campaign’s delivered placements.',
    unit: 'count',
    lines: 'placements',
  },
});

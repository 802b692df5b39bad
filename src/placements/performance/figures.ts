import type { Figure } from '../../shared/figure.ts';

const lines = 'placements';

/** Of the delivered placements of a campaign, in total, on a day or of a product. */
export const performanceFigures = {
  placements: {
    name: 'performance.placements',
    formula: 'The number of delivered placements.',
    unit: 'count',
    lines,
  },
  spend: {
    name: 'performance.spend',
    formula: 'The sum of `price` of the delivered placements.',
    unit: 'amount',
    lines,
  },
  orders: {
    name: 'performance.orders',
    formula: 'The number of delivered placements with a `revenue`: their schedules sold.',
    unit: 'count',
    lines,
  },
  revenue: {
    name: 'performance.revenue',
    formula: 'The sum of `revenue` of the delivered placements.',
    unit: 'amount',
    lines,
  },
  sell_rate: {
    name: 'performance.sell_rate',
    formula:
      'The number of delivered placements with a `revenue` ÷ the number of delivered placements. Null without placements.',
    unit: 'ratio',
    decimals: 4,
    lines,
  },
  cost_per_order: {
    name: 'performance.cost_per_order',
    formula:
      'The sum of `price` ÷ the number of placements with a `revenue`, of the delivered placements. Null if nothing sold.',
    unit: 'amount',
    decimals: 2,
    lines,
  },
  return_on_spend: {
    name: 'performance.return_on_spend',
    formula:
      'The sum of `revenue` ÷ the sum of `price`, of the delivered placements. Null if nothing was spent.',
    unit: 'ratio',
    decimals: 4,
    lines,
  },
} as const satisfies Record<string, Figure>;

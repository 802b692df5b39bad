import { type Computation, defineFigures } from '../shared/figure.ts';

const ofSchedules = {
  schedules: { formula: 'The number of schedules.', unit: 'count', lines: 'schedules' },
  orders: { formula: 'The number of schedules with `sold`.', unit: 'count', lines: 'schedules' },
  revenue: { formula: 'The sum of `sale_price`.', unit: 'amount', lines: 'schedules' },
  sell_rate: {
    formula: 'The number of schedules with `sold` ÷ the number of schedules.',
    unit: 'ratio',
    decimals: 4,
    lines: 'schedules',
  },
  asp: {
    formula: 'The sum of `sale_price` ÷ the number of schedules with `sold`. Null if none sold.',
    unit: 'amount',
    decimals: 2,
    lines: 'schedules',
  },
} as const satisfies Record<string, Computation>;

/** Of a month. */
export const monthlySalesFigures = defineFigures('sales', {
  schedules: ofSchedules.schedules,
  sell_rate: ofSchedules.sell_rate,
  asp: ofSchedules.asp,
  product_rating: {
    formula: 'The sum of `rating` ÷ the number of schedules with a `rating`. Null if none was rated.',
    unit: 'rating',
    decimals: 2,
    lines: 'schedules',
  },
  total_sales: ofSchedules.revenue,
});

/** Of a product in a period. */
export const productSalesFigures = defineFigures('product_sales', {
  ...ofSchedules,
  fees: {
    formula:
      'The sum of `seller_fees_amount` of the orders whose `status` is not `canceled`. Null if there are no such orders.',
    unit: 'amount',
    lines: 'orders',
  },
});

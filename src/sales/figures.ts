import type { Figure } from '../shared/figure.ts';

type Computation = Omit<Figure, 'name'>;

const schedules: Computation = { formula: 'The number of schedules.', unit: 'count', lines: 'schedules' };

const revenue: Computation = { formula: 'The sum of `sale_price`.', unit: 'amount', lines: 'schedules' };

const sellRate: Computation = {
  formula: 'The number of schedules with `sold` ÷ the number of schedules.',
  unit: 'ratio',
  decimals: 4,
  lines: 'schedules',
};

const averagePrice: Computation = {
  formula: 'The sum of `sale_price` ÷ the number of schedules with `sold`. Null if none sold.',
  unit: 'amount',
  decimals: 2,
  lines: 'schedules',
};

/** The figures of a month, by its fields. */
export const monthlySalesFigures = {
  schedules: { name: 'sales.schedules', ...schedules },
  sell_rate: { name: 'sales.sell_rate', ...sellRate },
  asp: { name: 'sales.asp', ...averagePrice },
  product_rating: {
    name: 'sales.product_rating',
    formula: 'The sum of `rating` ÷ the number of schedules with a `rating`. Null if none was rated.',
    unit: 'rating',
    decimals: 2,
    lines: 'schedules',
  },
  total_sales: { name: 'sales.total_sales', ...revenue },
} as const satisfies Record<string, Figure>;

/** The figures of a product in a period, by its fields. */
export const productSalesFigures = {
  schedules: { name: 'product_sales.schedules', ...schedules },
  orders: {
    name: 'product_sales.orders',
    formula: 'The number of schedules with `sold`.',
    unit: 'count',
    lines: 'schedules',
  },
  revenue: { name: 'product_sales.revenue', ...revenue },
  sell_rate: { name: 'product_sales.sell_rate', ...sellRate },
  asp: { name: 'product_sales.asp', ...averagePrice },
  fees: {
    name: 'product_sales.fees',
    formula:
      'The sum of `seller_fees_amount` of the orders whose `status` is not `canceled`. Null if there are no such orders.',
    unit: 'amount',
    lines: 'orders',
  },
} as const satisfies Record<string, Figure>;

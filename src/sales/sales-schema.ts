import { nonNegativeNumber, orNull, record, type Schema, withFigures } from '../http/schema.ts';
import { monthlySalesFigures, productSalesFigures } from './figures.ts';
import type { MonthlySales } from './monthly-sales.ts';
import { type ProductSales, type ProductSalesTable, summarizeProduct } from './product-sales-record.ts';

export const performanceTag = {
  name: 'Performance',
  description: 'Sales results of the merchant’s schedules.',
};

/** The fields that both a month and a product have. */
const rateAndPrice = {
  sell_rate: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'The share of schedules that sold, from 0 to 1, to four decimals.',
  },
  asp: {
    ...orNull(nonNegativeNumber),
    description: 'The average selling price, in the merchant’s currency, to two decimals; null if none sold.',
  },
} satisfies Record<string, Schema>;

/** One month as the API shows it (contract, “Monthly sales”). */
export const monthlySalesSchema = record<MonthlySales>(
  'MonthlySales',
  'The results of a month’s schedules. Months are calendar months in the merchant’s time zone.',
  withFigures(monthlySalesFigures, {
    month: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$`, description: 'As `YYYY-MM`.' },
    schedules: { type: 'integer', minimum: 1, description: 'The number of schedules.' },
    ...rateAndPrice,
    product_rating: {
      ...orNull({ type: 'number', minimum: 0, maximum: 5 }),
      description:
        'The average rating of the month’s sales, from 0 to 5, to two decimals; null if none was rated.',
    },
    total_sales: {
      ...nonNegativeNumber,
      description: 'The sum of the sale prices, in the merchant’s currency.',
    },
  }),
);

export const exampleMonths: MonthlySales[] = [
  { month: '2026-01', schedules: 8, sell_rate: 0, asp: null, product_rating: null, total_sales: 0 },
  {
    month: '2026-02',
    schedules: 412,
    sell_rate: 0.3981,
    asp: 27.41,
    product_rating: 4.62,
    total_sales: 4495.24,
  },
];

const figures = {
  identifier: { type: 'string', description: 'The unique ID of the product.' },
  cost_basis: {
    ...orNull(nonNegativeNumber),
    description: 'What one unit costs the merchant now, in the merchant’s currency.',
  },
  schedules: { type: 'integer', minimum: 1, description: 'The number of schedules.' },
  orders: { type: 'integer', minimum: 0, description: 'The number of schedules that sold.' },
  revenue: { ...nonNegativeNumber, description: 'The sum of the sale prices, in the merchant’s currency.' },
} satisfies Record<string, Schema>;

const fees = {
  fees: {
    ...orNull(nonNegativeNumber),
    description:
      'The sum of the seller fees of its orders that were paid in the period and not canceled, in the merchant’s ' +
      'currency; null if there are no such orders.',
  },
  scheduling_fees: {
    ...orNull(nonNegativeNumber),
    description:
      'The sum of what was paid for its schedules, in the merchant’s currency; null if it is not known.',
  },
} satisfies Record<string, Schema>;

export const productSalesSchema = record<ProductSales>(
  'ProductSales',
  'The results of a product’s schedules in a period.',
  withFigures(productSalesFigures, {
    ...figures,
    ...rateAndPrice,
    ...fees,
    table: record<ProductSalesTable>(
      'ProductSalesTable',
      'The same figures again, for clients of other versions of the API.',
      withFigures(productSalesFigures, { ...figures, ...fees }),
    ),
  }),
);

export const exampleProductSales: ProductSales[] = [
  summarizeProduct(
    {
      product_id: 1,
      identifier: 'VASE-7',
      cost_basis: 12.5,
      schedules: 3,
      orders: 2,
      revenue: 5500,
      products: 2,
    },
    660,
  ),
  summarizeProduct(
    { product_id: 2, identifier: 'BOWL-2', cost_basis: -1, schedules: 4, orders: 0, revenue: 0, products: 2 },
    undefined,
  ),
];

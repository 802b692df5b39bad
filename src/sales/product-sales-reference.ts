import type { EndpointReference } from '../http/endpoint/reference.ts';
import { int32, oneOf } from '../http/parameters/types.ts';
import { nonNegativeNumber, orNull, record } from '../http/schema.ts';
import { durations } from './periods.ts';
import type { ProductSales } from './product-sales-record.ts';
import { performanceTag } from './sales-reference.ts';

export const MAX_PAGE_SIZE = 1000;

export const productSalesParameters = {
  duration: { type: oneOf(durations), required: true },
  page: { type: int32(1) },
  per_page: { type: int32(1, MAX_PAGE_SIZE) },
} as const;

const productSalesSchema = record<ProductSales>(
  'ProductSales',
  'The results of a product’s schedules in a period.',
  {
    identifier: { type: 'string', description: 'The unique ID of the product.' },
    cost_basis: { ...orNull(nonNegativeNumber), description: 'The product’s current cost basis.' },
    schedules: { type: 'integer', minimum: 1, description: 'The number of schedules.' },
    orders: { type: 'integer', minimum: 0, description: 'The number of schedules that sold.' },
    revenue: { ...nonNegativeNumber, description: 'The sum of the sale prices.' },
    sell_rate: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The share of schedules that sold, to four decimals.',
    },
    asp: {
      ...orNull(nonNegativeNumber),
      description: 'The average selling price, to two decimals; null if none sold.',
    },
  },
);

const exampleProducts: ProductSales[] = [
  {
    identifier: 'VASE-7',
    cost_basis: 12.5,
    schedules: 3,
    orders: 2,
    revenue: 55,
    sell_rate: 0.6667,
    asp: 27.5,
  },
  { identifier: 'BOWL-2', cost_basis: null, schedules: 4, orders: 0, revenue: 0, sell_rate: 0, asp: null },
];

export const productSalesReference: EndpointReference<typeof productSalesParameters> = {
  name: 'listProductSales',
  tag: performanceTag,
  summary: 'Read sales by product',
  description:
    'Returns a record for each product that has schedules in the period, the highest revenue first, then by ' +
    '`identifier`. Periods are whole days in the merchant’s time zone: `last_week` is the seven days before today, ' +
    '`last_30_days` the thirty days before today.',
  parameters: {
    duration: { description: 'The period.', example: 'last_week' },
    page: { description: 'The page to return.', default: 1 },
    per_page: { description: 'The number of products per page.', default: MAX_PAGE_SIZE, example: 100 },
  },
  success: {
    description: 'The page: an array of records.',
    schema: { type: 'array', items: productSalesSchema },
    examples: { products: { summary: 'Two products', value: exampleProducts } },
    linked: true,
  },
};

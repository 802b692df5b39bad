import type { EndpointReference } from '../http/endpoint/reference.ts';
import type { NoParameters } from '../http/parameters/bind.ts';
import { nonNegativeNumber, orNull, record } from '../http/schema.ts';
import type { MonthlySales } from './monthly-sales.ts';

/** One month as the API shows it (contract, “Monthly sales”). */
const monthlySalesSchema = record<MonthlySales>(
  'MonthlySales',
  'The results of a month’s schedules. Months are calendar months in the merchant’s time zone.',
  {
    month: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$`, description: 'As `YYYY-MM`.' },
    schedules: { type: 'integer', minimum: 1, description: 'The number of schedules.' },
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
    product_rating: {
      ...orNull({ type: 'number', minimum: 0, maximum: 5 }),
      description: 'The average rating of the month’s sales, to two decimals; null if none was rated.',
    },
    total_sales: { ...nonNegativeNumber, description: 'The sum of the sale prices.' },
  },
);

const exampleMonths: MonthlySales[] = [
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

export const performanceTag = {
  name: 'Performance',
  description: 'Sales results of the merchant’s schedules.',
};

export const salesReference: EndpointReference<NoParameters> = {
  name: 'listMonthlySales',
  tag: performanceTag,
  summary: 'Read monthly sales',
  description: 'Returns a record for each month that has schedules, oldest first.',
  parameters: {},
  success: {
    description: 'The monthly records.',
    schema: { type: 'array', items: monthlySalesSchema },
    examples: { months: { summary: 'Two months', value: exampleMonths } },
  },
};

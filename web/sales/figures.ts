import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import type { Formats } from '../format/formats.ts';

/** A figure of a month: what it is called, and how it reads. */
export interface Figure {
  field: Exclude<keyof MonthlySales, 'month'>;
  name: string;
  show: (formats: Formats) => (value: number) => string;
}

export const figures: Figure[] = [
  { field: 'total_sales', name: 'Total sales', show: ({ money }) => money },
  { field: 'schedules', name: 'Schedules', show: ({ whole }) => whole },
  { field: 'sell_rate', name: 'Sell rate', show: ({ percent }) => percent },
  { field: 'asp', name: 'Average selling price', show: ({ money }) => money },
  { field: 'product_rating', name: 'Product rating', show: ({ rating }) => rating },
];

import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import type { Formats } from '../format/formats.ts';

/** A monthly figure: its field in the API, its label, and its format. */
export interface Figure {
  field: Exclude<keyof MonthlySales, 'month'>;
  label: string;
  format: (formats: Formats) => (value: number) => string;
}

export const figures: Figure[] = [
  { field: 'total_sales', label: 'Total sales', format: ({ money }) => money },
  { field: 'schedules', label: 'Auctions', format: ({ whole }) => whole },
  { field: 'sell_rate', label: 'Sell rate', format: ({ percent }) => percent },
  { field: 'asp', label: 'Average selling price', format: ({ money }) => money },
  { field: 'product_rating', label: 'Product rating', format: ({ rating }) => rating },
];

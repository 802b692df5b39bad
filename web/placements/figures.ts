import type { CampaignPerformance } from '../../src/placements/performance/campaign-performance.ts';
import type { Formats } from '../format/formats.ts';

/** A figure of placements: its field in the API, its label, and its format. */
interface Figure {
  field: Exclude<keyof CampaignPerformance, 'day' | 'product_identifier'>;
  label: string;
  format: (formats: Formats) => (value: number) => string;
}

export const figures: Figure[] = [
  { field: 'spend', label: 'Spend', format: ({ money }) => money },
  { field: 'placements', label: 'Placements', format: ({ whole }) => whole },
  { field: 'orders', label: 'Sold', format: ({ whole }) => whole },
  { field: 'revenue', label: 'Sales', format: ({ money }) => money },
  { field: 'sell_rate', label: 'Sell rate', format: ({ percent }) => percent },
  { field: 'cost_per_order', label: 'Cost per sale', format: ({ money }) => money },
  { field: 'return_on_spend', label: 'Return on spend', format: ({ multiple }) => multiple },
];

/** The columns of files with these figures. */
export const figureFields = figures.map(({ field }) => field);

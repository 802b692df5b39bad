import type { Listing, SortField } from './listing.ts';

/** A column of the list of products, after the product itself. */
export interface ListColumn {
  /** A field of the product, or `margin`. The server stores it as the user’s choice. */
  name: ColumnName;
  label: string;
  /** A shorter header. */
  short?: string;
  kind: 'chip' | 'number' | 'text';
  /** The order of the list that the header chooses. */
  sort?: SortField;
  isDefault?: true;
  /** Left out of narrow lists. */
  isMinor?: true;
}

export type ColumnName =
  | 'status'
  | 'available_quantity'
  | 'buy_now_price'
  | 'retail_price'
  | 'cost_basis'
  | 'margin'
  | 'minimum_bid_amount'
  | 'reserve_price'
  | 'scheduling_fee_bid'
  | 'campaign_name'
  | 'condition'
  | 'brand'
  | 'ratings_average'
  | 'sales_count'
  | 'created_at'
  | 'updated_at';

/** All columns, in the order in which lists show them. */
export const allColumns: readonly ListColumn[] = [
  { name: 'status', label: 'Status', kind: 'chip', isDefault: true },
  { name: 'available_quantity', label: 'Stock', kind: 'number', isDefault: true },
  { name: 'buy_now_price', label: 'Buy-now price', short: 'Price', kind: 'number', isDefault: true },
  { name: 'retail_price', label: 'Retail price', kind: 'number' },
  { name: 'cost_basis', label: 'Cost basis', kind: 'number', sort: 'target_price', isDefault: true },
  { name: 'margin', label: 'Margin', kind: 'number', isDefault: true },
  { name: 'minimum_bid_amount', label: 'Minimum bid', kind: 'number' },
  { name: 'reserve_price', label: 'Reserve price', short: 'Reserve', kind: 'number', sort: 'reserve_price' },
  { name: 'scheduling_fee_bid', label: 'Scheduling fee bid', short: 'Fee bid', kind: 'number', sort: 'sfb' },
  { name: 'campaign_name', label: 'Campaign', kind: 'text' },
  { name: 'condition', label: 'Condition', kind: 'text' },
  { name: 'brand', label: 'Brand', kind: 'text' },
  { name: 'ratings_average', label: 'Rating', kind: 'number', sort: 'ratings' },
  { name: 'sales_count', label: 'Sales', kind: 'number', sort: 'sales', isDefault: true },
  { name: 'created_at', label: 'Created', kind: 'number', sort: 'created_at', isMinor: true },
  {
    name: 'updated_at',
    label: 'Updated',
    kind: 'number',
    sort: 'updated_at',
    isDefault: true,
    isMinor: true,
  },
];

/** Whether a user’s choice has a column; null is the default choice. */
export function isChosen(chosen: readonly string[] | null, { name, isDefault }: ListColumn): boolean {
  return chosen === null ? isDefault === true : chosen.includes(name);
}

/**
 * Returns the columns of a list: the chosen ones, and the one by which the user sorts. What the user has
 * chosen is not left out of narrow lists.
 */
export function columnsOf(chosen: readonly string[] | null, order: Listing['sort']): ListColumn[] {
  const sorted = order?.replace(/_(a|de)scending$/, '');
  const shown = allColumns.filter(
    (column) => isChosen(chosen, column) || (column.sort !== undefined && column.sort === sorted),
  );
  return chosen === null ? shown : shown.map(({ isMinor: _, ...column }) => column);
}

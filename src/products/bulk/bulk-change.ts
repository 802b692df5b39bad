import type { Product } from '../record/product.ts';
import { type NamedImport, nameUndoOf } from './undo-name.ts';

export const bulkAmounts = [
  'buy_now_price',
  'retail_price',
  'minimum_bid_amount',
  'reserve_price',
  'scheduling_fee_bid',
  'cost_basis',
] as const;

export type BulkChange =
  | { kind: 'amount'; field: (typeof bulkAmounts)[number]; value: number | null }
  /** Raises or, below 0, lowers amounts; products without the amount stay as they are. */
  | { kind: 'percent'; field: (typeof bulkAmounts)[number]; percent: number }
  /** Sets the stock of products without variations, otherwise the stock of each variation. */
  | { kind: 'stock'; quantity: number }
  | { kind: 'campaign'; name: string | null }
  | { kind: 'enable' | 'disable' | 'delete' };

const statuses = { enable: 'enabled', disable: 'disabled', delete: 'deleted' } as const;

/**
 * A product's line in the import that makes the change; undefined if nothing changes. `was` has the values
 * that it was computed from: if they have changed by then, the product is left alone.
 */
export function bulkLine(product: Product, change: BulkChange): string | undefined {
  const fields = changedFields(product, change);
  return fields && `${JSON.stringify({ identifier: product.identifier, ...fields })}\n`;
}

function changedFields(product: Product, change: BulkChange): Record<string, unknown> | undefined {
  switch (change.kind) {
    case 'amount':
      return { [change.field]: change.value, was: { [change.field]: product[change.field] } };
    case 'percent': {
      const current = product[change.field];
      if (current === null) return undefined;
      return { [change.field]: percentOf(current, 100 + change.percent), was: { [change.field]: current } };
    }
    case 'stock':
      return stockFields(product, change.quantity);
    case 'campaign':
      return { campaign_name: change.name, was: { campaign_name: product.campaign_name } };
    default:
      return { status: statuses[change.kind], was: { status: product.status } };
  }
}

/** Rounds to cents. */
function percentOf(amount: number, percent: number): number {
  return Math.round(amount * percent) / 100;
}

function stockFields(
  { variations, available_quantity }: Product,
  quantity: number,
): Record<string, unknown> | undefined {
  if (variations.length === 0) return { available_quantity: quantity, was: { available_quantity } };
  const changed = variations.filter(({ deleted_at: deletedAt }) => deletedAt === null);
  if (changed.length === 0) return undefined;
  return {
    keep_variations: true,
    variations: changed.map(({ identifier, quantity: was, deleted_at }) => ({
      identifier,
      quantity,
      was: { quantity: was, deleted_at },
    })),
  };
}

const amountLabels: Record<(typeof bulkAmounts)[number], string> = {
  buy_now_price: 'Buy-now price',
  retail_price: 'Retail price',
  minimum_bid_amount: 'Minimum bid',
  reserve_price: 'Reserve price',
  scheduling_fee_bid: 'Scheduling fee bid',
  cost_basis: 'Cost basis',
};

/** Names a change in the list of imports: `Raise Buy-now price by 3% · 1,200 products`. */
export function nameChange(change: BulkChange, products: number, currency: string): string {
  return `${describeChange(change, currency)}${SEPARATOR}${countProducts(products)}`;
}

/** Names the undo of an import or of a bulk change: `Undo: catalog.csv · 3 products`. */
export function nameUndo({ name, isBulk }: NamedImport, products: number): string {
  const end = isBulk ? name.lastIndexOf(SEPARATOR) : -1;
  const undone = { name: end < 0 ? name : name.slice(0, end), isBulk };
  return `${nameUndoOf(undone)}${SEPARATOR}${countProducts(products)}`;
}

/** Returns the name with another number of products, for the audit log. */
export function withProducts(name: string, products: number): string {
  return `${name.slice(0, name.lastIndexOf(SEPARATOR))}${SEPARATOR}${countProducts(products)}`;
}

const SEPARATOR = ' · ';

function countProducts(products: number): string {
  return `${formatNumber(products)} ${products === 1 ? 'product' : 'products'}`;
}

function describeChange(change: BulkChange, currency: string): string {
  switch (change.kind) {
    case 'amount':
      return change.value === null
        ? `Clear ${amountLabels[change.field]}`
        : `Set ${amountLabels[change.field]} to ${formatMoney(change.value, currency)}`;
    case 'percent':
      return `${change.percent < 0 ? 'Lower' : 'Raise'} ${amountLabels[change.field]} by ${formatNumber(Math.abs(change.percent))}%`;
    case 'stock':
      return `Set stock to ${formatNumber(change.quantity)}`;
    case 'campaign':
      return change.name === null ? 'Remove from campaigns' : `Set campaign to ${change.name}`;
    default:
      return { enable: 'Enable', disable: 'Disable', delete: 'Delete' }[change.kind];
  }
}

function formatNumber(value: number): string {
  return new Intl.NumberFormat('en-US').format(value);
}

function formatMoney(value: number, currency: string): string {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat('en-US', { ...style, ...decimals }).format(value);
}

import type { Product } from '../record/product.ts';

/** The amounts that a bulk change can set. */
export const bulkAmounts = [
  'buy_now_price',
  'retail_price',
  'minimum_bid_amount',
  'reserve_price',
  'scheduling_fee_bid',
  'cost_basis',
] as const;

/** What a bulk change does to each product. */
export type BulkChange =
  | { kind: 'amount'; field: (typeof bulkAmounts)[number]; value: number | null }
  /** Raises or, below 0, lowers amounts. Products without the amount stay as they are. */
  | { kind: 'percent'; field: (typeof bulkAmounts)[number]; percent: number }
  /** Sets the stock of products without variations, and that of each variation of the others. */
  | { kind: 'stock'; quantity: number }
  | { kind: 'campaign'; name: string | null }
  | { kind: 'enable' | 'disable' | 'delete' };

const statuses = { enable: 'enabled', disable: 'disabled', delete: 'deleted' } as const;

/**
 * A product's line in a file whose import makes the change; undefined if there is nothing to change. It states the values
 * that it was computed from (`was`), so a product in which they have changed by then is left alone.
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

/** Returns a share of an amount, rounded to cents. */
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
  buy_now_price: 'buy now price',
  retail_price: 'retail price',
  minimum_bid_amount: 'minimum bid',
  reserve_price: 'reserve price',
  scheduling_fee_bid: 'scheduling fee bid',
  cost_basis: 'cost',
};

/** Describes a change, for the list of uploads and the audit log. */
export function describeChange(change: BulkChange): string {
  switch (change.kind) {
    case 'amount':
      return `Set ${amountLabels[change.field]} to ${change.value ?? 'none'}`;
    case 'percent':
      return `${change.percent < 0 ? 'Lower' : 'Raise'} ${amountLabels[change.field]} by ${Math.abs(change.percent)} %`;
    case 'stock':
      return `Set stock to ${change.quantity}`;
    case 'campaign':
      return change.name === null ? 'Remove from campaigns' : `Set campaign to ${change.name}`;
    default:
      return { enable: 'Enable', disable: 'Disable', delete: 'Delete' }[change.kind];
  }
}

import type { Product, ProductStatus } from './product.ts';

export const moderationStates = ['ok', 'problematic', 'banned'] as const;
export type Moderation = (typeof moderationStates)[number];

/** The data that a product's status depends on, in addition to its record. */
export interface StatusBasis {
  moderation: Moderation;
  /** A JSON array; '' for no reasons. */
  moderation_reasons: string;
  /** Since when the moderation is what it is, in milliseconds since 1970; null if it is `ok`. */
  moderated_at: number | null;
  /** 0 for a product without variations whose stock is not tracked (`tracksStock`), otherwise 1. */
  stock_tracked: 0 | 1;
  /** 1 while a status from an operator's file replaces the derived one. */
  status_sent: 0 | 1;
}

/** What a record with the original's fields shows of the moderation. */
export type ShownModeration = Pick<StatusBasis, 'moderation' | 'moderation_reasons' | 'moderated_at'>;

export function isSameModeration(one: ShownModeration, other: ShownModeration): boolean {
  return (
    one.moderation === other.moderation &&
    one.moderation_reasons === other.moderation_reasons &&
    one.moderated_at === other.moderated_at
  );
}

export function isSameBasis(one: StatusBasis, other: StatusBasis): boolean {
  return (
    isSameModeration(one, other) &&
    one.stock_tracked === other.stock_tracked &&
    one.status_sent === other.status_sent
  );
}

export const stockStatuses: readonly ProductStatus[] = ['sold_out', 'low_inventory', 'in_stock'];

/** The basis of a new product before its first draft. */
export const newBasis: StatusBasis = {
  moderation: 'ok',
  moderation_reasons: '',
  moderated_at: null,
  stock_tracked: 0,
  status_sent: 0,
};

/** Returns the first status that applies. Up to `lowInventory` units are low inventory. */
export function deriveStatus(
  product: Pick<Product, 'deleted_at' | 'disabled_at' | 'available_quantity'>,
  { moderation, stock_tracked }: Pick<StatusBasis, 'moderation' | 'stock_tracked'>,
  lowInventory: number,
): ProductStatus {
  if (product.deleted_at !== null) return 'deleted';
  if (moderation !== 'ok') return moderation;
  if (product.disabled_at !== null) return 'disabled';
  if (stock_tracked === 0) return 'enabled';
  const quantity = product.available_quantity ?? 0;
  if (quantity === 0) return 'sold_out';
  return quantity <= lowInventory ? 'low_inventory' : 'in_stock';
}

/** Returns the moderation that a status in an operator's file sets. */
export function moderationOf(status: ProductStatus): Moderation {
  return status === 'banned' || status === 'problematic' ? status : 'ok';
}

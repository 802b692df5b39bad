import type { Product, ProductStatus } from './product.ts';

/** The operator's judgment of a product. */
export type Moderation = 'ok' | 'problematic' | 'banned';

/** What a product's status depends on besides its record. */
export interface StatusBasis {
  moderation: Moderation;
  /** 0 for a product without variations for which no quantity was stated. */
  stock_tracked: 0 | 1;
  /** 1 while the status is one that the operator stated instead of the derived one. */
  status_stated: 0 | 1;
}

/** The statuses that say how much there is. */
export const stockStatuses: readonly ProductStatus[] = ['sold_out', 'low_inventory', 'in_stock'];

/** The basis of a product of which nothing has been stated. */
export const newBasis: StatusBasis = { moderation: 'ok', stock_tracked: 0, status_stated: 0 };

/** The first status that applies. `lowInventory` units or fewer are a low inventory. */
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

/** The moderation that the operator expresses by stating this status. */
export function moderationOf(status: ProductStatus): Moderation {
  return status === 'banned' || status === 'problematic' ? status : 'ok';
}

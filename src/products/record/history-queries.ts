import type { ChangeAuthor } from '../../audit/change-author.ts';
import { insertInto, upsertInto } from '../../database/statement.ts';

/** What one call, or one transaction of an import, changed in the catalog. */
export interface CatalogChangeRow extends ChangeAuthor {
  merchant_id: number;
  /** The catalog's revision after it. */
  revision: number;
  /** Counts from 0. Calls that arrive together share a revision. */
  part: number;
  /** How many existing products changed. */
  changed: number;
  /** The first and the last internal ID of new products, which are consecutive; null if it created none. */
  created_from: number | null;
  created_to: number | null;
  /** The names of the changed fields of products and variations, between commas: `,title,quantity,`. */
  fields: string;
}

/** Returns how many products a call created. */
export function countCreated({
  created_from: from,
  created_to: to,
}: Pick<CatalogChangeRow, 'created_from' | 'created_to'>): number {
  return from === null || to === null ? 0 : to - from + 1;
}

const catalogChangeKey = ['merchant_id', 'revision', 'part'] as const;
const catalogChangeColumns = [
  'at',
  'actor_kind',
  'actor_name',
  'request_id',
  'import_id',
  'changed',
  'created_from',
  'created_to',
  'fields',
] as const;

/** For many rows: one COPY. */
export const insertCatalogChange = insertInto<CatalogChangeRow>('catalog_changes', [
  ...catalogChangeKey,
  ...catalogChangeColumns,
]);

/** For a few rows: part of the statement that writes the products. No row with the key can exist. */
export const addCatalogChange = upsertInto<CatalogChangeRow>(
  'catalog_changes',
  catalogChangeKey,
  catalogChangeColumns,
  'DO NOTHING',
);

/** What one transaction changed of a product that existed. */
export interface ProductChangeRow {
  merchant_id: number;
  revision: number;
  product_id: number;
  /** The revision of the product's change before this one; 0 if there is none. */
  former_revision: number;
  /** JSON: the parts of the transaction that changed the product, each with its `ProductDiff`, in order. */
  changes: string;
}

const productChangeKey = ['merchant_id', 'revision', 'product_id'] as const;
const productChangeColumns = ['former_revision', 'changes'] as const;

/** As `insertCatalogChange`. */
export const insertProductChange = insertInto<ProductChangeRow>('product_changes', [
  ...productChangeKey,
  ...productChangeColumns,
]);

/** As `addCatalogChange`. */
export const addProductChange = upsertInto<ProductChangeRow>(
  'product_changes',
  productChangeKey,
  productChangeColumns,
  'DO NOTHING',
);

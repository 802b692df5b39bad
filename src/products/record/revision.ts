import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import type { Product } from './product.ts';
import { raiseRevisions } from './queries.ts';

/**
 * Revisions grow with every change. They follow the clock, in microseconds, so that a database restored from
 * a backup does not reuse a number for another state.
 */
export function revisionAt(now: number): number {
  return now * 1000;
}

/** The lists of products that a change may reorder, or whose products it may change. */
export interface Effects {
  /** Products were added, or `created_at` changed: all lists. */
  rows: boolean;
  /** The status changed: lists filtered by status. */
  status: boolean;
  /** The category changed: lists filtered by category. */
  category: boolean;
  /** Prices, bids, ratings or sales changed: lists sorted by them. */
  figures: boolean;
}

/** Resolves to the catalog's revision. The transaction must have locked the merchant. */
export async function currentRevision({ connection, merchantId }: TransactionContext): Promise<number> {
  const row = await connection.first(findCatalogState, { merchantId });
  if (row === undefined) throw missingMerchant(merchantId);
  return row.revision;
}

/**
 * Raises the catalog's revision from `current`, and returns the new one, which the changed rows have to
 * carry. The transaction must have locked the merchant, so revisions are in the order of commits: a client
 * that has seen one has seen all before it.
 */
export function raiseRevision(
  { connection, merchantId, now }: TransactionContext,
  current: number,
  { rows, status, category, figures }: Effects,
): number {
  const revision = Math.max(revisionAt(now), current + 1);
  const effects = {
    rows: Number(rows),
    status: Number(status),
    category: Number(category),
    figures: Number(figures),
  };
  connection.send(raiseRevisions, [{ merchantId, revision, ...effects }]);
  return revision;
}

/** The fields that lists are sorted by, except times and identifiers. */
const FIGURES = [
  'ratings_average',
  'cost_basis',
  'scheduling_fee_bid',
  'sales_count',
  'reserve_price',
] as const satisfies (keyof Product)[];

export class ChangeEffects implements Effects {
  rows = false;
  status = false;
  category = false;
  figures = false;

  /** `before` is undefined for a new product. */
  add(before: Product | undefined, after: Product): void {
    this.rows ||= before?.created_at !== after.created_at;
    if (before === undefined) return;
    this.status ||= before.status !== after.status;
    this.category ||= before.category !== after.category;
    this.figures ||= FIGURES.some((name) => before[name] !== after[name]);
  }
}

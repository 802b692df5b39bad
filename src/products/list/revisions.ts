import { hash } from 'node:crypto';
import type { Listing } from './listing.ts';

/** The revisions at which a catalog, and its lists of each kind, last changed; see `Effects`. */
export interface Revisions {
  revision: number;
  rows_revision: number;
  status_revision: number;
  category_revision: number;
  figures_revision: number;
}

export const revisionColumns = [
  'revision',
  'rows_revision',
  'status_revision',
  'category_revision',
  'figures_revision',
] as const satisfies (keyof Revisions)[];

/** Selects `Revisions` from the counters `r`. */
export const selectedRevisions = revisionColumns
  .map((column) => (column === 'revision' ? 'r.catalog_revision AS revision' : `r.${column}`))
  .join(', ');

/**
 * Returns the revision at which products last moved within, into or out of a listing. Until it changes,
 * positions in the listing stay the same.
 */
export function orderOf({ status, category, sort: { field } }: Listing, revisions: Revisions): number {
  // Every change of a record also changes `updated_at`.
  if (field === 'updated_at') return revisions.revision;
  return Math.max(
    revisions.rows_revision,
    status === undefined ? 0 : revisions.status_revision,
    category === undefined ? 0 : revisions.category_revision,
    field === 'created_at' || field === 'identifier' ? 0 : revisions.figures_revision,
  );
}

/** Returns the ETag of a response that revision and request determine. Hashing the body would take longer. */
export function etagAt(revision: number, request: string): string {
  return `W/"${revision.toString(36)}-${hash('sha1', request, 'base64url')}"`;
}

import type { Dialect } from '../database.ts';

/**
 * Adds to unfinished renames of campaigns the revision of the catalog at the rename, and the internal id of the last product
 * that was moved or left alone.
 */
export function renameProgress({ integer }: Dialect): string[] {
  return ['revision', 'moved_to'].map(
    (column) => `ALTER TABLE campaign_renames ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`,
  );
}

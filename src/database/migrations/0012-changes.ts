import type { Dialect } from '../database.ts';

/**
 * Adds what clients need to follow changes: the revision of each product's last change, and the epoch of the database,
 * which differs after a backup was restored. Also adds the revisions at which products last moved within lists, so that
 * the page starts that a process remembers stay valid as long as possible.
 */
export function followChanges({ integer }: Dialect): string[] {
  return [
    `ALTER TABLE products ADD COLUMN revision ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX products_by_revision ON products (merchant_id, revision, internal_id)',
    ...['epoch', 'rows_revision', 'status_revision', 'category_revision', 'figures_revision'].map(
      (column) => `ALTER TABLE merchant_counters ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`,
    ),
  ];
}

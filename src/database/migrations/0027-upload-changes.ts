import type { Dialect } from '../database.ts';

/**
 * Adds to uploads what their check has found to change, as JSON, and whether they are bulk changes. Adds to the reasons for
 * rejecting rows the product's identifier, '' if it is unknown.
 */
export function uploadChanges({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE uploads ADD COLUMN changes ${text}`,
    `ALTER TABLE uploads ADD COLUMN is_bulk ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE upload_rejections ADD COLUMN identifier ${text} NOT NULL DEFAULT ''`,
  ];
}

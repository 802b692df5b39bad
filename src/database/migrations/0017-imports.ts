import type { Dialect } from '../database.ts';

/**
 * Adds to uploads who made them, when they ended, and whether they only check a file. Moves the reasons for rejecting
 * rows into a table of their own, where every process can read them page by page.
 */
export function imports({ integer, text, ordinary }: Dialect): string[] {
  return [
    `ALTER TABLE uploads ADD COLUMN created_by ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE uploads ADD COLUMN dry_run ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE uploads ADD COLUMN finished_at ${integer}`,
    `ALTER TABLE uploads ADD COLUMN unlisted_rejections ${integer} NOT NULL DEFAULT 0`,
    'ALTER TABLE uploads DROP COLUMN rejections',
    // `position` counts the reasons of an upload from 1. `name` is the column or field, '' for a whole row.
    `CREATE TABLE upload_rejections (
      merchant_id ${integer} NOT NULL,
      upload_id ${text} NOT NULL,
      position ${integer} NOT NULL,
      line ${integer} NOT NULL,
      name ${text} NOT NULL,
      value ${text} NOT NULL,
      reason ${text} NOT NULL,
      PRIMARY KEY (merchant_id, upload_id, position)
    ) ${ordinary}`,
  ];
}

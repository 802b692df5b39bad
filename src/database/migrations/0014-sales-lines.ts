import type { Dialect } from '../database.ts';

/**
 * Adds the variation and the revision of the last change to schedules, and the indexes that schedules are listed by: in
 * the order of their changes, of a month, and of a product. The one by month has all columns that sales by product are
 * calculated from.
 */
export function salesLines({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE schedules ADD COLUMN variation_identifier ${text}`,
    `ALTER TABLE schedules ADD COLUMN revision ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX schedules_by_revision ON schedules (merchant_id, revision, schedule_id)',
    `CREATE INDEX schedules_by_month
      ON schedules (merchant_id, month, scheduled_at, schedule_id, product_id, sold, sale_price)`,
    'CREATE INDEX schedules_by_product ON schedules (merchant_id, product_id, scheduled_at, schedule_id)',
  ];
}

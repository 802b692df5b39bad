import type { Dialect } from '../database.ts';

/**
 * Adds the columns that a product's status depends on besides its record. Existing products keep their status until one
 * of its inputs changes: the status counts as stated, and the stock as tracked. Also deletes counters that are 0, which
 * no longer occur.
 */
export function moderation({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE products ADD COLUMN moderation ${text} NOT NULL DEFAULT 'ok'`,
    `ALTER TABLE products ADD COLUMN stock_tracked ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE products ADD COLUMN status_stated ${integer} NOT NULL DEFAULT 1`,
    // With the merchant, so that an index finds the few matching products.
    `UPDATE products SET moderation = status
     WHERE merchant_id IN (SELECT id FROM merchants) AND status IN ('banned', 'problematic')`,
    'DELETE FROM product_counts WHERE products = 0',
  ];
}

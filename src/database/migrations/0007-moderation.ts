import type { Dialect } from '../database.ts';

/**
 * What a product's status depends on besides its record. Products that exist keep the status that they have until
 * something that it depends on changes: it counts as stated, and their stock as tracked. Counters that have fallen
 * to 0 go: from now on, there are none.
 */
export function moderation({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE products ADD COLUMN moderation ${text} NOT NULL DEFAULT 'ok'`,
    `ALTER TABLE products ADD COLUMN stock_tracked ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE products ADD COLUMN status_stated ${integer} NOT NULL DEFAULT 1`,
    // Named by merchant, so that an index finds the few there are.
    `UPDATE products SET moderation = status
     WHERE merchant_id IN (SELECT id FROM merchants) AND status IN ('banned', 'problematic')`,
    'DELETE FROM product_counts WHERE products = 0',
  ];
}

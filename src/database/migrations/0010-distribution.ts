import type { Dialect } from '../database.ts';

const counters = ['catalog_revision', 'last_product_id', 'last_variation_id', 'last_key_id'];

/**
 * Moves everything that a merchant's requests write or lock into tables whose primary key begins with `merchant_id`, so
 * that a distributed database keeps it on the merchant's node: the revision and the id counters of `merchants`, and the
 * state of `access_tokens`. What remains there is written only when a merchant or a token is created or deleted.
 */
export function distribution({ integer, bytes, compact }: Dialect): string[] {
  return [
    `CREATE TABLE merchant_counters (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      catalog_revision ${integer} NOT NULL,
      last_product_id ${integer} NOT NULL DEFAULT 0,
      last_variation_id ${integer} NOT NULL DEFAULT 0,
      last_key_id ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,
    `INSERT INTO merchant_counters (merchant_id, ${counters.join(', ')})
     SELECT id, ${counters.join(', ')} FROM merchants`,
    ...counters.map((column) => `ALTER TABLE merchants DROP COLUMN ${column}`),

    `CREATE TABLE key_tokens (
      merchant_id ${integer} NOT NULL,
      token_hash ${bytes} NOT NULL,
      key_id ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      PRIMARY KEY (merchant_id, token_hash)
    ) ${compact}`,
    `INSERT INTO key_tokens (merchant_id, token_hash, key_id, expires_at, revoked_at)
     SELECT merchant_id, token_hash, key_id, expires_at, revoked_at FROM access_tokens`,
    'CREATE INDEX key_tokens_by_key ON key_tokens (merchant_id, key_id)',
    'CREATE INDEX key_tokens_by_end ON key_tokens (merchant_id, revoked_at, expires_at, key_id)',
    'DROP INDEX access_tokens_by_key',
    'DROP INDEX access_tokens_by_end',
    ...['key_id', 'expires_at', 'revoked_at'].map(
      (column) => `ALTER TABLE access_tokens DROP COLUMN ${column}`,
    ),
  ];
}

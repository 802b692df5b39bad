import type { Dialect } from '../database.ts';

/**
 * Prepares the schema for many processes. All data needed to verify a token is now in two global tables,
 * `access_tokens` and `merchants`, and a new table counts the requests of each key in the current minute.
 */
export function manyNodes({ integer, compact }: Dialect): string[] {
  return [
    `ALTER TABLE access_tokens ADD COLUMN expires_at ${integer}`,
    `ALTER TABLE access_tokens ADD COLUMN revoked_at ${integer}`,
    // Reads the keys first: Citus does not let a table that every node has be filled from one that is distributed.
    `WITH ends AS MATERIALIZED (SELECT merchant_id, id, expires_at, revoked_at FROM api_keys)
     UPDATE access_tokens SET expires_at = ends.expires_at, revoked_at = ends.revoked_at
     FROM ends WHERE ends.merchant_id = access_tokens.merchant_id AND ends.id = access_tokens.key_id`,
    'ALTER TABLE api_keys DROP COLUMN expires_at',
    'ALTER TABLE api_keys DROP COLUMN revoked_at',
    'CREATE INDEX access_tokens_by_key ON access_tokens (merchant_id, key_id)',
    `CREATE TABLE request_counts (
      merchant_id ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      minute ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, key_id)
    ) ${compact}`,
  ];
}

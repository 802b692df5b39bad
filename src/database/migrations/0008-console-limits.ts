import type { Dialect } from '../database.ts';

/**
 * Adds indexes for the console: they find a merchant's working tokens and the last use of its keys without reading
 * every key, and first-level categories without reading the others. Also adds each session's browser, so that users
 * recognize their sessions.
 */
export function consoleLimits({ text }: Dialect): string[] {
  return [
    'CREATE INDEX access_tokens_by_end ON access_tokens (merchant_id, revoked_at, expires_at, key_id)',
    'CREATE INDEX api_keys_by_last_use ON api_keys (merchant_id, last_used_at)',
    // Only the status '' sorts before '!'. With an equality, SQLite would use the primary key instead.
    `CREATE INDEX product_counts_of_first_levels ON product_counts (merchant_id, category)
      WHERE status < '!' AND category NOT LIKE '%|%'`,
    `ALTER TABLE console_sessions ADD COLUMN user_agent ${text}`,
  ];
}

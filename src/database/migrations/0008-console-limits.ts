import type { Dialect } from '../database.ts';

/**
 * What bounded console reads need: a merchant's working tokens and its newest use without reading every key it
 * ever had, and its categories of one level without those of two. Also the browser of each session, so that
 * people recognize their own.
 */
export function consoleLimits({ text }: Dialect): string[] {
  return [
    'CREATE INDEX access_tokens_by_end ON access_tokens (merchant_id, revoked_at, expires_at, key_id)',
    'CREATE INDEX api_keys_by_last_use ON api_keys (merchant_id, last_used_at)',
    // Only the status '' sorts before '!'. With an equality, SQLite would take the primary key instead.
    `CREATE INDEX product_counts_of_first_levels ON product_counts (merchant_id, category)
      WHERE status < '!' AND category NOT LIKE '%|%'`,
    `ALTER TABLE console_sessions ADD COLUMN user_agent ${text}`,
  ];
}

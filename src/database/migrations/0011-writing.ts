import type { Dialect } from '../database.ts';

/**
 * Adds scopes to keys, where existing ones keep what they could do before, the currency to merchants, and the endpoint
 * to idempotency keys, which only one endpoint accepted before.
 */
export function prepareWriting({ text }: Dialect): string[] {
  return [
    `ALTER TABLE api_keys ADD COLUMN scopes ${text} NOT NULL DEFAULT 'read,campaigns'`,
    `ALTER TABLE merchants ADD COLUMN currency ${text} NOT NULL DEFAULT 'USD'`,
    `ALTER TABLE idempotency_keys ADD COLUMN endpoint ${text} NOT NULL DEFAULT 'POST /campaigns.json'`,
  ];
}

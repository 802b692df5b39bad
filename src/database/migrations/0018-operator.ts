import type { Dialect } from '../database.ts';

/**
 * Adds what the operator API needs: the operator's own id of each merchant, which is Tradepost's for existing ones, and
 * since when a merchant is suspended. That is stored twice, because the merchant's own tables are on its node of a
 * distributed database, where its keys are looked up.
 */
export function operatorApi({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE merchants ADD COLUMN external_id ${text} NOT NULL DEFAULT ''`,
    'UPDATE merchants SET external_id = CAST(id AS text)',
    'CREATE UNIQUE INDEX merchants_by_external_id ON merchants (external_id)',
    `ALTER TABLE merchants ADD COLUMN suspended_at ${integer}`,
    `ALTER TABLE merchant_counters ADD COLUMN suspended_at ${integer}`,
  ];
}

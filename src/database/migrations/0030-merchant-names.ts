import type { Dialect } from '../database.ts';

/**
 * Creates the table of every name that a merchant has or had. Like the table of merchants, it is searched before the
 * merchant is known.
 */
export function merchantNames({ text, integer, ordinary }: Dialect): string[] {
  return [
    `CREATE TABLE merchant_names (
      folded_name ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL
    ) ${ordinary}`,
    'CREATE INDEX merchant_names_by_merchant ON merchant_names (merchant_id)',
  ];
}

import type { Dialect } from '../database.ts';

/**
 * Adds the renames of campaigns whose products have not all moved to the new name yet, and an index that finds campaigns by
 * their names.
 */
export function renames({ text, integer, compact }: Dialect): string[] {
  return [
    'CREATE INDEX campaigns_by_name ON campaigns (merchant_id, name, id)',
    `CREATE TABLE campaign_renames (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      former_name ${text} NOT NULL,
      name ${text} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
  ];
}

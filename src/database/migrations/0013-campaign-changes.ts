import type { Dialect } from '../database.ts';

/**
 * Adds the time of a campaign's last change, null while it has not changed since it was created, an index to list
 * campaigns by status, and the number of each merchant's campaigns that are not active. All campaigns were active
 * before. Active ones are not counted, because campaigns that are created simultaneously would wait for each other.
 */
export function changeCampaigns({ integer, compact }: Dialect): string[] {
  return [
    `ALTER TABLE campaigns ADD COLUMN updated_at ${integer}`,
    'CREATE INDEX campaigns_by_status ON campaigns (merchant_id, status, id)',
    `CREATE TABLE campaign_counts (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      paused ${integer} NOT NULL,
      expired ${integer} NOT NULL,
      changes ${integer} NOT NULL
    ) ${compact}`,
  ];
}

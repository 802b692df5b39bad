import type { Dialect } from '../database.ts';

/**
 * Adds the order of changes of campaigns, the number of campaigns whose lifetime budget is exhausted, and the reasons for
 * the moderation of a product, JSON or '' for none. The revision of a campaign is 0 from a change until the change is
 * listed first: campaigns that are written at the same time would otherwise wait for each other.
 */
export function operatorData({ integer, text }: Dialect): string[] {
  return [
    `ALTER TABLE campaigns ADD COLUMN revision ${integer} NOT NULL DEFAULT 0`,
    'CREATE INDEX campaigns_by_revision ON campaigns (merchant_id, revision, id)',
    `ALTER TABLE merchant_counters ADD COLUMN campaign_revision ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE campaign_counts ADD COLUMN exhausted ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE products ADD COLUMN moderation_reasons ${text} NOT NULL DEFAULT ''`,
  ];
}

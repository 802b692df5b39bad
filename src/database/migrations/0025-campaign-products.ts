import type { Dialect } from '../database.ts';

/**
 * Gives products the name of their campaign as a column, null for deleted products, so that the products of a campaign can
 * be listed.
 */
export function campaignProducts({ text }: Dialect): string[] {
  return [
    `ALTER TABLE products ADD COLUMN campaign_name ${text}`,
    `CREATE INDEX products_by_campaign ON products (merchant_id, campaign_name, internal_id)
      WHERE campaign_name IS NOT NULL`,
  ];
}

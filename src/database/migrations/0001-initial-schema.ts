import type { Dialect } from '../database.ts';

/**
 * Creates the first tables. The primary key of each table with merchants' data begins with `merchant_id`; the only
 * global lookup is by a token's hash. Times are milliseconds since 1970, UTC.
 */
export function initialSchema({ integer, number, text, bytes, compact, ordinary }: Dialect): string[] {
  return [
    `CREATE TABLE merchants (
      id ${integer} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      email ${text},
      time_zone ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      catalog_revision ${integer} NOT NULL,
      last_product_id ${integer} NOT NULL DEFAULT 0,
      last_variation_id ${integer} NOT NULL DEFAULT 0,
      last_key_id ${integer} NOT NULL DEFAULT 0
    ) ${ordinary}`,

    `CREATE TABLE api_keys (
      merchant_id ${integer} NOT NULL,
      id ${integer} NOT NULL,
      name ${text} NOT NULL,
      token_start ${text} NOT NULL,
      token_end ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      last_used_at ${integer},
      last_erp_name ${text},
      last_user_agent ${text},
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    `CREATE TABLE access_tokens (
      token_hash ${bytes} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL,
      key_id ${integer} NOT NULL
    ) ${compact}`,

    // The columns besides the record are the ones that lists are filtered and sorted by; -1 means no value. The last
    // three numbers come from the product's schedules. If it has schedules, the record has figures computed from them.
    `CREATE TABLE products (
      merchant_id ${integer} NOT NULL,
      internal_id ${integer} NOT NULL,
      identifier ${text} NOT NULL,
      status ${text} NOT NULL,
      category_1 ${text} NOT NULL,
      category_2 ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      ratings_average ${number} NOT NULL,
      cost_basis ${number} NOT NULL,
      scheduling_fee_bid ${number} NOT NULL,
      sales_count ${integer} NOT NULL,
      reserve_price ${number} NOT NULL,
      schedule_count ${integer} NOT NULL,
      rated_count ${integer} NOT NULL,
      rating_sum ${integer} NOT NULL,
      record ${text} NOT NULL,
      PRIMARY KEY (merchant_id, internal_id)
    ) ${ordinary}`,
    'CREATE UNIQUE INDEX products_by_identifier ON products (merchant_id, identifier)',
    ...[
      'created_at',
      'updated_at',
      'ratings_average',
      'cost_basis',
      'scheduling_fee_bid',
      'sales_count',
      'reserve_price',
    ].map((key) => `CREATE INDEX products_by_${key} ON products (merchant_id, ${key}, internal_id, status)`),
    ...['created_at', 'updated_at'].map(
      (key) =>
        `CREATE INDEX products_by_status_${key} ON products (merchant_id, status, ${key}, internal_id)`,
    ),
    `CREATE INDEX products_by_category_1
      ON products (merchant_id, category_1, created_at, internal_id, status)`,
    `CREATE INDEX products_by_category_2
      ON products (merchant_id, category_1, category_2, created_at, internal_id, status)`,

    // The number of products that match a filter; '' means any status or any category.
    `CREATE TABLE product_counts (
      merchant_id ${integer} NOT NULL,
      status ${text} NOT NULL,
      category ${text} NOT NULL,
      products ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, status, category)
    ) ${compact}`,

    `CREATE TABLE variations (
      merchant_id ${integer} NOT NULL,
      identifier ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, identifier)
    ) ${compact}`,

    `CREATE TABLE campaigns (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      type ${text} NOT NULL,
      daily_budget ${number},
      bid_amount ${number},
      status ${text} NOT NULL,
      daily_budget_per_product ${number},
      lifetime_budget ${number},
      lifetime_budget_per_product ${number},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    `CREATE TABLE idempotency_keys (
      merchant_id ${integer} NOT NULL,
      idempotency_key ${text} NOT NULL,
      fingerprint ${bytes} NOT NULL,
      answer ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, idempotency_key)
    ) ${compact}`,
    'CREATE INDEX idempotency_keys_by_age ON idempotency_keys (merchant_id, created_at)',

    // Prices are in hundredths of the currency's major unit, ratings in hundredths of a point.
    `CREATE TABLE schedules (
      merchant_id ${integer} NOT NULL,
      schedule_id ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      scheduled_at ${integer} NOT NULL,
      month ${text} NOT NULL,
      sold ${integer} NOT NULL,
      sale_price ${integer},
      rating ${integer},
      PRIMARY KEY (merchant_id, schedule_id)
    ) ${compact}`,
    `CREATE TABLE sales_months (
      merchant_id ${integer} NOT NULL,
      month ${text} NOT NULL,
      schedules ${integer} NOT NULL,
      sold ${integer} NOT NULL,
      total_sales ${integer} NOT NULL,
      rated ${integer} NOT NULL,
      rating_sum ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, month)
    ) ${compact}`,
  ];
}

import type { Dialect } from './database.ts';

const SORTED_AND_FILTERED = [
  'updated_at',
  'ratings_average',
  'cost_basis',
  'scheduling_fee_bid',
  'sales_count',
  'reserve_price',
];

/**
 * Creates every table and index of version 0.1.0. Later changes of the schema are migrations (`migrate.ts`).
 * The primary key of each table with a merchant's data begins with `merchant_id`, so that a distributed
 * database keeps the rows on the merchant's node. Other tables are global: read before the merchant is known,
 * or about all merchants. A test side has an ID of its own (`src/database/sides.ts`).
 * Times are milliseconds since 1970, UTC, unless a comment says microseconds. Flags are 0 or 1.
 */
export function schema(dialect: Dialect): string[] {
  return [
    ...merchantTables(dialect),
    ...keyTables(dialect),
    ...productTables(dialect),
    ...imageTables(dialect),
    ...historyTables(dialect),
    ...searchTables(dialect),
    ...campaignTables(dialect),
    ...placementTables(dialect),
    ...salesTables(dialect),
    ...orderTables(dialect),
    ...importTables(dialect),
    ...eventTables(dialect),
    ...webhookTables(dialect),
    ...mailTables(dialect),
    ...consoleTables(dialect),
    ...requestTables(dialect),
    ...metadataTables(dialect),
    ...nodeTables(dialect),
    ...certificateTables(dialect),
    ...releaseTables(dialect),
  ];
}

function merchantTables({ integer, text, compact, ordinary }: Dialect): string[] {
  return [
    // Global. Written only when the operator or an owner changes it. `external_id` is the operator's.
    // `suspension_reason` is null unless the merchant is suspended. `request_limit`, of each key in a minute,
    // and `product_limit` are null if the operator has set none.
    `CREATE TABLE merchants (
      id ${integer} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL UNIQUE,
      email ${text},
      time_zone ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      currency ${text} NOT NULL DEFAULT 'USD',
      has_test_side ${integer} NOT NULL DEFAULT 0,
      external_id ${text} NOT NULL DEFAULT '',
      suspended_at ${integer},
      suspension_reason ${text},
      request_limit ${integer},
      product_limit ${integer},
      requires_two_factor ${integer} NOT NULL DEFAULT 0
    ) ${ordinary}`,
    'CREATE UNIQUE INDEX merchants_by_external_id ON merchants (external_id)',

    // Global. Every name that a merchant has or had, folded so that similar names are equal.
    `CREATE TABLE merchant_names (
      folded_name ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL
    ) ${ordinary}`,
    'CREATE INDEX merchant_names_by_merchant ON merchant_names (merchant_id)',

    // Global. What the operator finds a merchant by, folded: its name, external ID and email.
    `CREATE TABLE merchant_words (
      word ${text} NOT NULL,
      merchant_id ${integer} NOT NULL,
      PRIMARY KEY (word, merchant_id)
    ) ${compact}`,

    // What a merchant's requests count and lock. A transaction that writes its data locks its row first.
    // - `catalog_revision` increases with each change of the catalog. `rows_`, `status_`, `category_` and
    // `figures_revision` say when products last moved within lists, for remembered page starts.
    // - `epoch` differs after a backup was restored.
    // - `suspended_at`, `time_zone`, `request_limit` and `product_limit` are copies of the columns of
    // `merchants`, on the node of the rows that are read with them.
    // - `unannounced` is 1 while the catalog has changes that no event has announced.
    `CREATE TABLE merchant_counters (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      catalog_revision ${integer} NOT NULL,
      last_product_id ${integer} NOT NULL DEFAULT 0,
      last_variation_id ${integer} NOT NULL DEFAULT 0,
      last_key_id ${integer} NOT NULL DEFAULT 0,
      epoch ${integer} NOT NULL DEFAULT 0,
      rows_revision ${integer} NOT NULL DEFAULT 0,
      status_revision ${integer} NOT NULL DEFAULT 0,
      category_revision ${integer} NOT NULL DEFAULT 0,
      figures_revision ${integer} NOT NULL DEFAULT 0,
      suspended_at ${integer},
      time_zone ${text} NOT NULL DEFAULT 'UTC',
      request_limit ${integer},
      product_limit ${integer},
      unannounced ${integer} NOT NULL DEFAULT 0,
      announced_revision ${integer} NOT NULL DEFAULT 0,
      announced_at ${integer} NOT NULL DEFAULT 0,
      announce_interval ${integer} NOT NULL DEFAULT 0,
      campaign_revision ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,
    'CREATE INDEX merchant_counters_unannounced ON merchant_counters (merchant_id) WHERE unannounced = 1',

    // The amount that a merchant used on the last day on which it used a budget.
    `CREATE TABLE budget_uses (
      merchant_id ${integer} NOT NULL,
      budget ${text} NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, budget)
    ) ${compact}`,

    // IDs sort by time. The operator's log has what is stored under the operator's ID, and what operators did
    // to merchants.
    `CREATE TABLE audit_entries (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      who_kind ${text} NOT NULL,
      who ${text} NOT NULL,
      action ${text} NOT NULL,
      subject ${text},
      in_operator_log ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    // One for each filter of the operator's log. Entries of merchants are in none of them.
    'CREATE INDEX audit_entries_of_operator ON audit_entries (id) WHERE in_operator_log = 1',
    'CREATE INDEX audit_entries_of_operator_by_kind ON audit_entries (who_kind, id) WHERE in_operator_log = 1',
    'CREATE INDEX audit_entries_of_operator_by_who ON audit_entries (who_kind, who, id) WHERE in_operator_log = 1',
    'CREATE INDEX audit_entries_of_operator_by_action ON audit_entries (action, id) WHERE in_operator_log = 1',
    `CREATE INDEX audit_entries_of_operator_by_kind_and_action ON audit_entries (who_kind, action, id)
      WHERE in_operator_log = 1`,
    `CREATE INDEX audit_entries_of_operator_by_who_and_action ON audit_entries (who_kind, who, action, id)
      WHERE in_operator_log = 1`,
  ];
}

function keyTables({ integer, text, bytes, compact }: Dialect): string[] {
  return [
    // `scopes` are separated by commas. `announced_expiry` is the expiry that an event has announced.
    // `fields` says which fields records have for the key.
    `CREATE TABLE api_keys (
      merchant_id ${integer} NOT NULL,
      id ${integer} NOT NULL,
      name ${text} NOT NULL,
      token_start ${text} NOT NULL,
      token_end ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer},
      last_erp_name ${text},
      last_user_agent ${text},
      scopes ${text} NOT NULL DEFAULT 'read,campaigns',
      announced_expiry ${integer},
      fields ${text} NOT NULL DEFAULT 'standard',
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    'CREATE INDEX api_keys_by_last_use ON api_keys (merchant_id, last_used_at)',

    `CREATE TABLE access_tokens (
      token_hash ${bytes} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL
    ) ${compact}`,

    `CREATE TABLE key_tokens (
      merchant_id ${integer} NOT NULL,
      token_hash ${bytes} NOT NULL,
      key_id ${integer} NOT NULL,
      expires_at ${integer},
      revoked_at ${integer},
      PRIMARY KEY (merchant_id, token_hash)
    ) ${compact}`,
    'CREATE INDEX key_tokens_by_key ON key_tokens (merchant_id, key_id)',
    'CREATE INDEX key_tokens_by_end ON key_tokens (merchant_id, revoked_at, expires_at, key_id)',

    // The requests of each key in the current minute.
    `CREATE TABLE request_counts (
      merchant_id ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      minute ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, key_id)
    ) ${compact}`,

    // Responses to return again to requests with the same `Idempotency-Key`.
    `CREATE TABLE idempotency_keys (
      merchant_id ${integer} NOT NULL,
      idempotency_key ${text} NOT NULL,
      fingerprint ${bytes} NOT NULL,
      response ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      endpoint ${text} NOT NULL DEFAULT 'POST /campaigns.json',
      PRIMARY KEY (merchant_id, idempotency_key)
    ) ${compact}`,
    'CREATE INDEX idempotency_keys_by_age ON idempotency_keys (merchant_id, created_at)',
  ];
}

function productTables({ integer, number, text, compact, ordinary }: Dialect): string[] {
  return [
    // `record` is the product as the API returns it, rendered once. The other columns, where -1 means no
    // value, filter and sort lists; status and figures of the record are computed from them:
    // - `schedule_count`, `rated_count` and `rating_sum` come from the product's schedules.
    // - `moderation`, `stock_tracked` and `status_sent` decide the status, with the stock.
    // - `moderation_reasons` is JSON, or '' for none; `moderated_at` is null if `moderation` is `ok`.
    // - `revision` is the catalog's revision at the last change, `history_revision` at the last one that
    // `product_changes` has; 0 for none.
    // - `campaign_name` is null for deleted products.
    // - `review_since` and `review_changes` are what waits for a review (`ReviewState`).
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
      campaign_name ${text},
      max_daily_schedules ${integer} NOT NULL DEFAULT -1,
      record ${text} NOT NULL,
      moderation ${text} NOT NULL DEFAULT 'ok',
      stock_tracked ${integer} NOT NULL DEFAULT 1,
      status_sent ${integer} NOT NULL DEFAULT 1,
      revision ${integer} NOT NULL DEFAULT 0,
      moderation_reasons ${text} NOT NULL DEFAULT '',
      moderated_at ${integer},
      review_since ${integer},
      review_changes ${integer} NOT NULL DEFAULT 0,
      history_revision ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, internal_id)
    ) ${ordinary}`,
    'CREATE UNIQUE INDEX products_by_identifier ON products (merchant_id, identifier)',
    'CREATE INDEX products_by_created_at ON products (merchant_id, created_at, internal_id, status)',
    // With the categories, so that a filter skips products without reading them.
    ...SORTED_AND_FILTERED.map(
      (column) =>
        `CREATE INDEX products_by_${column}
          ON products (merchant_id, ${column}, internal_id, status, category_1, category_2)`,
    ),
    ...['created_at', 'updated_at'].map(
      (column) =>
        `CREATE INDEX products_by_status_${column} ON products (merchant_id, status, ${column}, internal_id)`,
    ),
    `CREATE INDEX products_by_category_1
      ON products (merchant_id, category_1, created_at, internal_id, status)`,
    `CREATE INDEX products_by_category_2
      ON products (merchant_id, category_1, category_2, created_at, internal_id, status)`,
    'CREATE INDEX products_by_revision ON products (merchant_id, revision, internal_id)',
    `CREATE INDEX products_by_campaign ON products (merchant_id, campaign_name, internal_id)
      WHERE campaign_name IS NOT NULL`,
    // The queue of moderation, of all merchants and of one. Other products are in neither.
    `CREATE INDEX products_to_review ON products (review_since, merchant_id, internal_id)
      WHERE review_since IS NOT NULL`,
    `CREATE INDEX products_to_review_of_merchant ON products (merchant_id, review_since, internal_id)
      WHERE review_since IS NOT NULL`,
    // The products of all merchants, for the operator: of the live sides and of the test sides.
    `CREATE INDEX products_newest ON products (status, created_at, merchant_id, internal_id)
      WHERE merchant_id > 0`,
    `CREATE INDEX products_newest_of_test_sides ON products (status, created_at, merchant_id, internal_id)
      WHERE merchant_id < 0`,

    // What the operator decided about products. IDs sort by time. `category` is the first level of the
    // product's category at that time. The newest decision about a product has in `reviewed` the fields that
    // were reviewed, as JSON; others have ''.
    `CREATE TABLE moderation_decisions (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      identifier ${text} NOT NULL,
      title ${text} NOT NULL,
      category ${text} NOT NULL,
      state ${text} NOT NULL,
      reasons ${text} NOT NULL,
      who ${text} NOT NULL,
      at ${integer} NOT NULL,
      reviewed ${text} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${ordinary}`,
    'CREATE INDEX moderation_decisions_by_product ON moderation_decisions (merchant_id, product_id, id)',
    "CREATE INDEX moderation_decisions_replaced ON moderation_decisions (at) WHERE reviewed = ''",
    'CREATE INDEX moderation_decisions_by_category ON moderation_decisions (category, id)',

    // The number of products that match a filter; '' means any status or any category.
    `CREATE TABLE product_counts (
      merchant_id ${integer} NOT NULL,
      status ${text} NOT NULL,
      category ${text} NOT NULL,
      products ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, status, category)
    ) ${compact}`,
    // Only the status '' sorts before '!'. With an equality, SQLite would use the primary key instead.
    `CREATE INDEX product_counts_of_first_levels ON product_counts (merchant_id, category)
      WHERE status < '!' AND category NOT LIKE '%|%'`,

    // How many products name a campaign, and how many of them have a `scheduling_fee_bid`. Deleted products
    // do not count.
    `CREATE TABLE campaign_products (
      merchant_id ${integer} NOT NULL,
      campaign_name ${text} NOT NULL,
      products ${integer} NOT NULL,
      with_bid ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, campaign_name)
    ) ${compact}`,

    `CREATE TABLE variations (
      merchant_id ${integer} NOT NULL,
      identifier ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, identifier)
    ) ${compact}`,
  ];
}

/** Decision 68 describes the check of images. They have no rows of test sides. */
function imageTables({ integer, text, compact, ordinary }: Dialect): string[] {
  return [
    // Whether the address of an image answers with one. `problem` is null if it does, or is not known.
    // `url_hash` is a hash of `url`.
    `CREATE TABLE image_checks (
      merchant_id ${integer} NOT NULL,
      url_hash ${text} NOT NULL,
      url ${text} NOT NULL,
      check_at ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      checked_at ${integer},
      problem ${text},
      PRIMARY KEY (merchant_id, url_hash)
    ) ${ordinary}`,
    'CREATE INDEX image_checks_due ON image_checks (merchant_id, check_at, url_hash)',
    `CREATE INDEX image_checks_failing ON image_checks (merchant_id, url_hash)
      WHERE problem IS NOT NULL`,

    // Which products have an image. `position` is 0 for the main image.
    `CREATE TABLE product_images (
      merchant_id ${integer} NOT NULL,
      product_id ${integer} NOT NULL,
      url_hash ${text} NOT NULL,
      position ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, product_id, url_hash)
    ) ${compact}`,
    'CREATE INDEX product_images_by_url ON product_images (merchant_id, url_hash, product_id)',

    // The images of products up to (`revision`, `product_id`), in the order of changes, are in the tables
    // above. `next_check_at` is the least `check_at`, and `turn_at` when the merchant had its last turn.
    `CREATE TABLE image_cursors (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      revision ${integer} NOT NULL,
      product_id ${integer} NOT NULL,
      turn_at ${integer} NOT NULL,
      next_check_at ${integer}
    ) ${compact}`,
  ];
}

/** Decision 54 describes the history. Its rows are appended, and deleted when they are old. */
function historyTables({ integer, text, compact, clock }: Dialect): string[] {
  return [
    // Who changed the catalog, and by which call: a row for each call or transaction of an import. Calls that
    // arrive together share a revision. New products have consecutive internal IDs.
    `CREATE TABLE catalog_changes (
      merchant_id ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      part ${integer} NOT NULL,
      at ${integer} NOT NULL,
      actor_kind ${text} NOT NULL,
      actor_name ${text} NOT NULL,
      request_id ${text},
      import_id ${text},
      changed ${integer} NOT NULL,
      created_from ${integer},
      created_to ${integer},
      fields ${text} NOT NULL,
      PRIMARY KEY (merchant_id, revision, part)
    ) ${compact}`,
    `CREATE INDEX catalog_changes_creating ON catalog_changes (merchant_id, created_to)
      WHERE created_to IS NOT NULL`,
    // For what one import changed, and for its undo. Only transactions of imports are in it. With
    // `fields`, it is enough for a filter by field.
    `CREATE INDEX catalog_changes_of_imports ON catalog_changes (merchant_id, import_id, revision, fields)
      WHERE import_id IS NOT NULL`,

    // `changes` is JSON with the values before and after. `former_revision` is the revision of the product's
    // change before, so that the history of a product needs no other index.
    `CREATE TABLE product_changes (
      merchant_id ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      product_id ${integer} NOT NULL,
      former_revision ${integer} NOT NULL,
      changes ${text} NOT NULL,
      PRIMARY KEY (merchant_id, revision, product_id)
    ) ${compact}`,

    // Changes of a campaign, in the order of `written_at`, as in `outbox`, and the ID of their event.
    `CREATE TABLE campaign_changes (
      merchant_id ${integer} NOT NULL,
      campaign_id ${text} NOT NULL,
      written_at ${integer} NOT NULL DEFAULT (${clock}),
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      actor_kind ${text} NOT NULL,
      actor_name ${text} NOT NULL,
      request_id ${text},
      changes ${text} NOT NULL,
      PRIMARY KEY (merchant_id, campaign_id, written_at, id)
    ) ${compact}`,
    'CREATE INDEX campaign_changes_by_time ON campaign_changes (merchant_id, at)',

    // Changes of an order, without its customer's data. `part` counts the changes of the order in a
    // transaction, from 0. `changes` is JSON with the values before and after, or '' for the creation.
    `CREATE TABLE order_changes (
      merchant_id ${integer} NOT NULL,
      order_id ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      part ${integer} NOT NULL,
      at ${integer} NOT NULL,
      actor_kind ${text} NOT NULL,
      actor_name ${text} NOT NULL,
      request_id ${text},
      import_id ${text},
      changes ${text} NOT NULL,
      PRIMARY KEY (merchant_id, order_id, revision, part)
    ) ${compact}`,
    'CREATE INDEX order_changes_by_time ON order_changes (merchant_id, at)',
  ];
}

/** Decision 27 describes the search index. */
function searchTables({ integer, text, bytes, compact, ordinary }: Dialect): string[] {
  const productsByWord = (table: string): string =>
    `CREATE TABLE ${table} (
      merchant_id ${integer} NOT NULL,
      word ${text} NOT NULL,
      block ${integer} NOT NULL,
      products ${bytes} NOT NULL,
      PRIMARY KEY (merchant_id, word, block)
    ) ${compact}`;
  return [
    productsByWord('search_words'),
    productsByWord('search_prefixes'),
    `CREATE TABLE search_popular (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      prefixes ${text} NOT NULL
    ) ${ordinary}`,
    `CREATE TABLE search_blocks (
      merchant_id ${integer} NOT NULL,
      block ${integer} NOT NULL,
      oldest ${integer} NOT NULL,
      newest ${integer} NOT NULL,
      ordered ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, block)
    ) ${compact}`,
  ];
}

function campaignTables({ integer, number, text, compact }: Dialect): string[] {
  return [
    // `updated_at` is null until the first change. `revision` is 0 from a change until it is listed, so that
    // campaigns that are written at the same time do not wait for each other. `hourly_schedule` has a digit
    // for each slot, 1 if the campaign competes in it. `spend` and `spend_today` are in units
    // (`src/shared/amounts.ts`): what delivered placements cost, and what the placements of `spend_day` cost.
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
      updated_at ${integer},
      revision ${integer} NOT NULL DEFAULT 0,
      hourly_schedule ${text},
      spend ${integer} NOT NULL DEFAULT 0,
      placements ${integer} NOT NULL DEFAULT 0,
      spend_day ${text} NOT NULL DEFAULT '',
      spend_today ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    'CREATE INDEX campaigns_by_status ON campaigns (merchant_id, status, id)',
    'CREATE INDEX campaigns_by_revision ON campaigns (merchant_id, revision, id)',
    'CREATE INDEX campaigns_by_name ON campaigns (merchant_id, name, id)',
    // The operator's list of the campaigns of all merchants: with 300,000 of them, 1 ms instead of 200.
    'CREATE INDEX campaigns_newest ON campaigns (id) WHERE merchant_id > 0',
    'CREATE INDEX campaigns_newest_of_status ON campaigns (status, id) WHERE merchant_id > 0',

    // Active campaigns are not counted: campaigns created at the same time would wait for each other.
    `CREATE TABLE campaign_counts (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      paused ${integer} NOT NULL,
      expired ${integer} NOT NULL,
      changes ${integer} NOT NULL,
      exhausted ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,

    // Renames whose products have not all moved. `revision` is the catalog's at the rename, `moved_to` the
    // internal ID of the last product that was moved or left alone.
    `CREATE TABLE campaign_renames (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      former_name ${text} NOT NULL,
      name ${text} NOT NULL,
      revision ${integer} NOT NULL DEFAULT 0,
      moved_to ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
  ];
}

function placementTables({ integer, text, compact, ordinary }: Dialect): string[] {
  return [
    // Amounts are in units (`src/shared/amounts.ts`), but `revenue` is in hundredths. `day` is `YYYY-MM-DD`
    // in the merchant's time zone.
    // `bid`, `reserved_at` and `expires_at` are null if the operator decided about the placement. `revision`
    // is 0 from a change until it is listed, as in `campaigns`.
    `CREATE TABLE placements (
      merchant_id ${integer} NOT NULL,
      placement_id ${text} NOT NULL,
      campaign_id ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      day ${text} NOT NULL,
      state ${text} NOT NULL,
      bid ${integer},
      price ${integer} NOT NULL,
      reserved_at ${integer},
      expires_at ${integer},
      delivered_at ${integer},
      released_at ${integer},
      late ${integer} NOT NULL,
      schedule_id ${text},
      revenue ${integer},
      revision ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, placement_id)
    ) ${ordinary}`,
    'CREATE INDEX placements_by_revision ON placements (merchant_id, revision, placement_id)',
    ...['campaign_id', 'product_id'].map(
      (column) =>
        `CREATE INDEX placements_by_${column} ON placements (merchant_id, ${column}, day, placement_id)`,
    ),
    'CREATE INDEX placements_by_day ON placements (merchant_id, day, placement_id)',
    `CREATE INDEX placements_expiring ON placements (merchant_id, expires_at) WHERE state = 'reserved'`,

    // What the placements of a campaign add up to: of a product, or of all (0), on a day, or on all ('').
    // With campaign '', the placements of a product on a day. `announced` is what events have said: see
    // `recordSpend`.
    `CREATE TABLE placement_figures (
      merchant_id ${integer} NOT NULL,
      campaign_id ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      day ${text} NOT NULL,
      reserved ${integer} NOT NULL DEFAULT 0,
      reserved_amount ${integer} NOT NULL DEFAULT 0,
      delivered ${integer} NOT NULL DEFAULT 0,
      spend ${integer} NOT NULL DEFAULT 0,
      orders ${integer} NOT NULL DEFAULT 0,
      revenue ${integer} NOT NULL DEFAULT 0,
      announced ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, campaign_id, product_id, day)
    ) ${compact}`,
    `CREATE INDEX placement_figures_by_day ON placement_figures (merchant_id, campaign_id, day, product_id)`,
    `CREATE INDEX placement_figures_by_product ON placement_figures (merchant_id, product_id, campaign_id)
     WHERE day = '' AND product_id > 0`,

    // What requests for placements got, so that a repeated one gets the same. `result` is JSON.
    `CREATE TABLE placement_requests (
      key ${text} NOT NULL PRIMARY KEY,
      reserved_at ${integer} NOT NULL,
      result ${text} NOT NULL
    ) ${ordinary}`,
    'CREATE INDEX placement_requests_by_time ON placement_requests (reserved_at)',

    // Global. How many requests for placements there were in an hour, which begins at `hour`.
    `CREATE TABLE placement_request_hours (
      currency ${text} NOT NULL,
      hour ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      PRIMARY KEY (currency, hour)
    ) ${compact}`,

    // Global. Requests of an hour by what they asked for ('' for anything), their least price, and the score
    // that a further candidate had to beat: see `DemandRow`. `winners` has bits of merchants.
    `CREATE TABLE placement_demand (
      hour ${integer} NOT NULL,
      currency ${text} NOT NULL,
      type ${text} NOT NULL,
      category_1 ${text} NOT NULL,
      category_2 ${text} NOT NULL,
      floor ${integer} NOT NULL,
      score ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      winners ${integer} NOT NULL,
      PRIMARY KEY (hour, currency, type, category_1, category_2, floor, score)
    ) ${compact}`,

    // Global. The placements that requests of an hour reserved, by the category that they asked for ('' for
    // any) and by their price, which is rounded. `amount` is the sum of the exact prices.
    `CREATE TABLE placement_hours (
      hour ${integer} NOT NULL,
      currency ${text} NOT NULL,
      category ${text} NOT NULL,
      price ${integer} NOT NULL,
      placements ${integer} NOT NULL,
      amount ${integer} NOT NULL,
      PRIMARY KEY (hour, currency, category, price)
    ) ${compact}`,

    // What requests of an hour became for a campaign, or a product in it (0 for all): see `RequestOutcome`.
    `CREATE TABLE placement_outcomes (
      merchant_id ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      campaign_id ${text} NOT NULL,
      product_id ${integer} NOT NULL,
      outcome ${text} NOT NULL,
      value ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      winners ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, hour, campaign_id, product_id, outcome, value)
    ) ${compact}`,
  ];
}

function salesTables({ integer, text, compact }: Dialect): string[] {
  return [
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
      variation_identifier ${text},
      order_id ${integer},
      placement_id ${text},
      revision ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (merchant_id, schedule_id)
    ) ${compact}`,
    'CREATE INDEX schedules_by_revision ON schedules (merchant_id, revision, schedule_id)',
    // With all columns that sales by product, and sales of days, are calculated from.
    `CREATE INDEX schedules_by_month
      ON schedules (merchant_id, month, scheduled_at, schedule_id, product_id, sold, sale_price, rating)`,
    // With the column that says how long the stock lasts.
    'CREATE INDEX schedules_by_product ON schedules (merchant_id, product_id, scheduled_at, schedule_id, sold)',

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

function orderTables({ integer, text, bytes, compact, ordinary }: Dialect): string[] {
  return [
    // `data` is JSON (`OrderData`). Times are -1 for none, so that lists have one order.
    // - `revision` is the revision of the merchant's orders at the last change.
    // - `overdue_at` is when the order becomes overdue; null if it cannot, or if an event has said so.
    // - `announced_due_date` is the due date for which an event has said so last.
    // - `seller_fees` is their sum, in hundredths; null if the order was canceled.
    `CREATE TABLE orders (
      merchant_id ${integer} NOT NULL,
      order_id ${integer} NOT NULL,
      external_id ${text} NOT NULL,
      status ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      paid_at ${integer} NOT NULL,
      fulfillment_due_date ${integer} NOT NULL,
      overdue_at ${integer},
      announced_due_date ${integer} NOT NULL,
      product_id ${integer} NOT NULL,
      seller_fees ${integer},
      revision ${integer} NOT NULL,
      data ${text} NOT NULL,
      PRIMARY KEY (merchant_id, order_id)
    ) ${ordinary}`,
    'CREATE UNIQUE INDEX orders_by_external_id ON orders (merchant_id, external_id)',
    'CREATE INDEX orders_by_revision ON orders (merchant_id, revision, order_id)',
    // With the status, so that a filter skips orders without reading them.
    'CREATE INDEX orders_by_created_at ON orders (merchant_id, created_at, order_id, status)',
    // The orders of all merchants, for the operator: of the live sides and of the test sides.
    `CREATE INDEX orders_newest ON orders (status, created_at, merchant_id, order_id)
      WHERE merchant_id > 0`,
    `CREATE INDEX orders_newest_of_test_sides ON orders (status, created_at, merchant_id, order_id)
      WHERE merchant_id < 0`,
    // With all columns that fees by product are calculated from.
    'CREATE INDEX orders_by_paid_at ON orders (merchant_id, paid_at, order_id, product_id, seller_fees)',
    `CREATE INDEX orders_by_fulfillment_due_date
      ON orders (merchant_id, fulfillment_due_date, order_id)`,
    ...['order_id', 'paid_at', 'fulfillment_due_date'].map(
      (column) =>
        `CREATE INDEX orders_by_status_${column} ON orders (merchant_id, status, ${
          column === 'order_id' ? column : `${column}, order_id`
        })`,
    ),
    'CREATE INDEX orders_overdue ON orders (merchant_id, overdue_at) WHERE overdue_at IS NOT NULL',

    // A merchant has a row from the first order on. A transaction that writes orders locks the merchant
    // first. `moved_revision` is when an order last moved within a list, and no order is overdue before
    // `next_overdue_at`. The rest is as in `merchant_counters`.
    `CREATE TABLE order_counters (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      revision ${integer} NOT NULL,
      moved_revision ${integer} NOT NULL,
      last_order_id ${integer} NOT NULL,
      next_overdue_at ${integer},
      unannounced ${integer} NOT NULL DEFAULT 1,
      announced_revision ${integer} NOT NULL DEFAULT 0,
      announced_at ${integer} NOT NULL DEFAULT 0,
      announce_interval ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,
    'CREATE INDEX order_counters_unannounced ON order_counters (merchant_id) WHERE unannounced = 1',
    `CREATE INDEX order_counters_overdue ON order_counters (merchant_id, next_overdue_at)
     WHERE next_overdue_at IS NOT NULL`,

    // The number of orders with a status.
    `CREATE TABLE order_counts (
      merchant_id ${integer} NOT NULL,
      status ${text} NOT NULL,
      orders ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, status)
    ) ${compact}`,

    // The number of orders with a status whose `field`, a column of `orders`, is in a range: see `rangeOf`. A
    // page in the middle of a long list is found without counting the orders before it one by one.
    `CREATE TABLE order_ranges (
      merchant_id ${integer} NOT NULL,
      field ${text} NOT NULL,
      status ${text} NOT NULL,
      number ${integer} NOT NULL,
      orders ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, field, status, number)
    ) ${compact}`,

    // `data` is encrypted with the key that `key` names. `closed_at` is when the order was shipped, refunded
    // or canceled; null while it is open.
    `CREATE TABLE order_customers (
      merchant_id ${integer} NOT NULL,
      order_id ${integer} NOT NULL,
      key ${text} NOT NULL,
      data ${bytes} NOT NULL,
      closed_at ${integer},
      PRIMARY KEY (merchant_id, order_id)
    ) ${compact}`,
    'CREATE INDEX order_customers_by_key ON order_customers (merchant_id, key)',
    `CREATE INDEX order_customers_closed ON order_customers (merchant_id, closed_at)
     WHERE closed_at IS NOT NULL`,

    // Global. The names of keys that encrypt customers' data, or did so, which tell whose key file it is.
    `CREATE TABLE customer_keys (
      name ${text} NOT NULL PRIMARY KEY
    ) ${compact}`,

    // What the console's search finds orders by: SKUs, tracking numbers, and hashes of customers' names.
    `CREATE TABLE order_words (
      merchant_id ${integer} NOT NULL,
      word ${text} NOT NULL,
      order_id ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, word, order_id)
    ) ${compact}`,
    'CREATE INDEX order_words_by_order ON order_words (merchant_id, order_id)',
  ];
}

function importTables({ integer, number, text, ordinary }: Dialect): string[] {
  return [
    // `summary`, `ignored_columns`, `changes` (what a check found to change), `reading` (how the file is
    // read) and `found` (the sheets and columns of its table) are JSON. `alive_at` is when the import last
    // reported progress. `notified_user` gets a mail about the end.
    `CREATE TABLE imports (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      state ${text} NOT NULL,
      progress ${number} NOT NULL,
      format ${text},
      failure ${text},
      summary ${text},
      ignored_columns ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      alive_at ${integer} NOT NULL,
      created_by ${text} NOT NULL DEFAULT '',
      dry_run ${integer} NOT NULL DEFAULT 0,
      finished_at ${integer},
      unlisted_rejections ${integer} NOT NULL DEFAULT 0,
      notified_user ${text},
      changes ${text},
      is_bulk ${integer} NOT NULL DEFAULT 0,
      reading ${text},
      found ${text},
      PRIMARY KEY (merchant_id, id)
    ) ${ordinary}`,
    "CREATE INDEX imports_importing ON imports (merchant_id, id) WHERE state = 'importing'",
    // For the operator's lists of all merchants' imports.
    'CREATE INDEX imports_newest ON imports (id)',
    "CREATE INDEX imports_in_progress ON imports (id) WHERE state IN ('checking', 'importing')",
    "CREATE INDEX imports_failed ON imports (id) WHERE state = 'failed'",
    'CREATE INDEX imports_by_format ON imports (format, id) WHERE is_bulk = 0',
    'CREATE INDEX imports_bulk ON imports (id) WHERE is_bulk = 1',

    // What the columns of a merchant's tables mean, as JSON. `headers` is a hash of the set of headers.
    `CREATE TABLE column_mappings (
      merchant_id ${integer} NOT NULL,
      headers ${text} NOT NULL,
      columns ${text} NOT NULL,
      used_at ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, headers)
    ) ${ordinary}`,

    // `position` counts an import's rejections from 1. `name` is the column or field, '' for a whole row.
    // `identifier` is the product's, '' if it is unknown.
    `CREATE TABLE import_rejections (
      merchant_id ${integer} NOT NULL,
      import_id ${text} NOT NULL,
      position ${integer} NOT NULL,
      line ${integer} NOT NULL,
      name ${text} NOT NULL,
      value ${text} NOT NULL,
      reason ${text} NOT NULL,
      identifier ${text} NOT NULL DEFAULT '',
      PRIMARY KEY (merchant_id, import_id, position)
    ) ${ordinary}`,
  ];
}

function eventTables({ integer, text, compact, ordinary, clock }: Dialect): string[] {
  return [
    // A transaction writes events to its merchant's outbox, in the order of `written_at`, microseconds of the
    // database's clock. They are then moved to the feed of all merchants, `events`, where they have numbers.
    `CREATE TABLE outbox (
      merchant_id ${integer} NOT NULL,
      written_at ${integer} NOT NULL DEFAULT (${clock}),
      id ${text} NOT NULL,
      type ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      revision ${integer},
      data ${text} NOT NULL,
      PRIMARY KEY (merchant_id, written_at, id)
    ) ${compact}`,
    // Global.
    `CREATE TABLE events (
      number ${integer} NOT NULL PRIMARY KEY,
      id ${text} NOT NULL UNIQUE,
      merchant_id ${integer} NOT NULL,
      type ${text} NOT NULL,
      occurred_at ${integer} NOT NULL,
      revision ${integer},
      data ${text} NOT NULL
    ) ${ordinary}`,
    'CREATE INDEX events_by_merchant ON events (merchant_id, number)',
    // For the operator's view of the newest events of a type, of one merchant or of all.
    'CREATE INDEX events_by_type ON events (type, number)',
    'CREATE INDEX events_by_type_of_merchant ON events (merchant_id, type, number)',
    // Global. One row, from the first event on. The process that numbers events holds it until `lease_until`.
    `CREATE TABLE event_feed (
      id ${integer} NOT NULL PRIMARY KEY,
      epoch ${integer} NOT NULL,
      last_number ${integer} NOT NULL,
      deleted_up_to ${integer} NOT NULL,
      holder ${text} NOT NULL,
      lease_until ${integer} NOT NULL
    ) ${compact}`,
  ];
}

/** `due_at`, `replay_due_at` and `lease_until` are microseconds of the database's clock. */
function webhookTables({ integer, text, compact, ordinary, clock }: Dialect): string[] {
  return [
    // Global. `types` are separated by spaces; '' means all. The secrets are encrypted (`src/encryption`).
    // - `due_at` is null if no delivery waits.
    // - `waits_until` is set while the merchant has used up a budget.
    // - `replay_due_at` is what the newest replay gave its deliveries.
    // - `reported_at` is when the webhook was disabled the first time on the last day on which this happened.
    `CREATE TABLE webhooks (
      id ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL,
      url ${text} NOT NULL,
      description ${text} NOT NULL,
      types ${text} NOT NULL,
      secret ${text} NOT NULL,
      former_secret ${text},
      former_secret_until ${integer},
      created_at ${integer} NOT NULL,
      failing_since ${integer},
      disabled_at ${integer},
      disabled_reason ${text},
      due_at ${integer},
      lease_holder ${text} NOT NULL DEFAULT '',
      lease_until ${integer} NOT NULL DEFAULT 0,
      waits_until ${integer},
      replay_due_at ${integer},
      reported_at ${integer}
    ) ${ordinary}`,
    'CREATE INDEX webhooks_by_merchant ON webhooks (merchant_id, id)',
    'CREATE INDEX webhooks_due ON webhooks (due_at) WHERE due_at IS NOT NULL',
    `CREATE INDEX webhooks_failing ON webhooks (failing_since, id)
     WHERE failing_since IS NOT NULL AND disabled_at IS NULL`,
    'CREATE INDEX webhooks_disabled ON webhooks (disabled_at, id) WHERE disabled_at IS NOT NULL',

    // Global. Deleted with its event or its webhook. `attempts` counts all attempts, `failures` only those
    // since the event was last sent or replayed.
    `CREATE TABLE webhook_deliveries (
      event_number ${integer} NOT NULL,
      webhook_id ${text} NOT NULL,
      state ${text} NOT NULL,
      attempts ${integer} NOT NULL DEFAULT 0,
      failures ${integer} NOT NULL DEFAULT 0,
      due_at ${integer} DEFAULT (${clock}),
      PRIMARY KEY (event_number, webhook_id)
    ) ${compact}`,
    'CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, event_number)',
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, event_number)
     WHERE due_at IS NOT NULL`,
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, event_number)
     WHERE state = 'failed'`,

    // Global. Deleted like deliveries.
    `CREATE TABLE webhook_attempts (
      event_number ${integer} NOT NULL,
      webhook_id ${text} NOT NULL,
      attempt ${integer} NOT NULL,
      at ${integer} NOT NULL,
      duration_ms ${integer} NOT NULL,
      status ${integer},
      error ${text},
      response ${text},
      PRIMARY KEY (event_number, webhook_id, attempt)
    ) ${ordinary}`,
  ];
}

function mailTables({ integer, text, compact, clock }: Dialect): string[] {
  return [
    // Global. All times are microseconds of the database's clock. `user_id` is the console user who gets the
    // mail; null if there is none, or if the user is found when the mail is sent.
    `CREATE TABLE mails (
      id ${text} NOT NULL PRIMARY KEY,
      kind ${text} NOT NULL,
      merchant_id ${integer},
      user_id ${text},
      address ${text} NOT NULL,
      data ${text} NOT NULL,
      created_at ${integer} NOT NULL DEFAULT (${clock}),
      due_at ${integer} NOT NULL DEFAULT (${clock}),
      failures ${integer} NOT NULL DEFAULT 0,
      lease_holder ${text} NOT NULL DEFAULT '',
      lease_until ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,
    'CREATE INDEX mails_due ON mails (due_at)',
    'CREATE INDEX mails_by_user ON mails (user_id)',
  ];
}

/** Users and sessions are looked up before the merchant is known, so these tables are global. */
function consoleTables({ integer, text, bytes, compact }: Dialect): string[] {
  return [
    // The people who use the console, each in one shop or several. `password_seen`: an owner saw the link
    // that set the password, and may know it.
    `CREATE TABLE console_users (
      id ${text} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL,
      email ${text} NOT NULL UNIQUE,
      two_factor ${integer} NOT NULL,
      password_seen ${integer} NOT NULL DEFAULT 0,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,

    // In which shops a person works. Until the person has accepted the invitation, `accepted_at` is null, and
    // the shop knows the person only as `invited_name`. `muted_mails` are the kinds of mail that the person
    // does not want, comma-separated. `saved_views` is JSON. `product_columns` are the columns of its product
    // lists, comma-separated, null for the default. `by_claim`: an identity provider has made the person a
    // user, so its sessions are in this shop only if that sign-in was to it.
    `CREATE TABLE memberships (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL,
      merchant_id ${integer} NOT NULL,
      role ${text} NOT NULL,
      invited_name ${text} NOT NULL,
      by_claim ${integer} NOT NULL DEFAULT 0,
      accepted_at ${integer},
      last_sign_in_at ${integer},
      muted_mails ${text} NOT NULL DEFAULT '',
      saved_views ${text} NOT NULL DEFAULT '[]',
      product_columns ${text},
      created_at ${integer} NOT NULL,
      UNIQUE (user_id, merchant_id)
    ) ${compact}`,
    'CREATE INDEX memberships_by_merchant ON memberships (merchant_id)',

    // One row, once an operator has named the marketplace.
    `CREATE TABLE marketplace (
      id ${integer} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL,
      time_zone ${text} NOT NULL,
      currency ${text} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${compact}`,

    // The people who run the marketplace. IDs are UUIDs, so that the tables below are for them, too.
    // `password_allowed`: the password works although passwords are off.
    `CREATE TABLE operators (
      id ${text} NOT NULL PRIMARY KEY,
      name ${text} NOT NULL,
      email ${text} NOT NULL UNIQUE,
      role ${text} NOT NULL,
      two_factor ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      last_sign_in_at ${integer},
      password_allowed ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,

    // `merchant_id` is the shop that the session is in; null for operators. `by_provider`: an identity
    // provider signed the user in, and is responsible for second factors. `passkey_id`: this passkey did.
    `CREATE TABLE user_sessions (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL,
      merchant_id ${integer},
      sign_in_merchant_id ${integer},
      token_hash ${text} NOT NULL UNIQUE,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      user_agent ${text},
      by_provider ${integer} NOT NULL DEFAULT 0,
      passkey_id ${text}
    ) ${compact}`,
    'CREATE INDEX user_sessions_by_user ON user_sessions (user_id)',

    // Operators who look at a merchant's console, or have a code for it (`src/operators/support-views/`).
    `CREATE TABLE support_views (
      id ${text} NOT NULL PRIMARY KEY,
      merchant_id ${integer} NOT NULL,
      operator_id ${text} NOT NULL,
      session_id ${text} NOT NULL,
      secret_hash ${text} NOT NULL UNIQUE,
      return_to ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      opened_at ${integer},
      expires_at ${integer} NOT NULL
    ) ${compact}`,
    'CREATE INDEX support_views_by_merchant ON support_views (merchant_id)',

    // Who users are at an identity provider, since their first sign-in by it. `realm` is the table of the
    // users. `role_by_claim`: the provider has stated the role, and has to at each sign-in.
    `CREATE TABLE user_identities (
      realm ${text} NOT NULL,
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      user_id ${text} NOT NULL,
      role_by_claim ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (realm, issuer, subject)
    ) ${compact}`,
    'CREATE UNIQUE INDEX user_identities_by_user ON user_identities (user_id, issuer)',

    // `realm` is the table of the users. `rp_id` is the host at which browsers offer the passkey.
    `CREATE TABLE user_passkeys (
      id ${text} NOT NULL PRIMARY KEY,
      realm ${text} NOT NULL,
      user_id ${text} NOT NULL,
      credential_id ${text} NOT NULL,
      rp_id ${text} NOT NULL,
      public_key ${bytes} NOT NULL,
      sign_count ${integer} NOT NULL,
      transports ${text} NOT NULL,
      name ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer}
    ) ${compact}`,
    'CREATE UNIQUE INDEX user_passkeys_by_credential ON user_passkeys (realm, credential_id)',
    'CREATE INDEX user_passkeys_by_user ON user_passkeys (user_id)',

    // One per user, with the password.
    `CREATE TABLE user_accounts (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL UNIQUE,
      provider ${text} NOT NULL,
      account_id ${text} NOT NULL,
      password_hash ${text},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,

    // Links that set a password or register, and sign-ins that wait for their code. `seen`: the link was
    // shown to an owner, who is not the person.
    `CREATE TABLE user_verifications (
      id ${text} NOT NULL PRIMARY KEY,
      identifier_hash ${text} NOT NULL,
      value ${text} NOT NULL,
      seen ${integer} NOT NULL DEFAULT 0,
      expires_at ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    ) ${compact}`,
    'CREATE INDEX user_verifications_by_identifier ON user_verifications (identifier_hash)',
    'CREATE INDEX user_verifications_by_value ON user_verifications (value)',
    'CREATE INDEX user_verifications_by_expiry ON user_verifications (expires_at)',

    `CREATE TABLE user_two_factors (
      id ${text} NOT NULL PRIMARY KEY,
      user_id ${text} NOT NULL UNIQUE,
      secret ${text} NOT NULL,
      backup_codes ${text} NOT NULL,
      verified ${integer} NOT NULL,
      failed_attempts ${integer},
      locked_until ${integer}
    ) ${compact}`,

    // A name is the hash of the limited subject, so that IP and email addresses are not stored.
    `CREATE TABLE attempt_counts (
      name ${bytes} NOT NULL PRIMARY KEY,
      attempts ${integer} NOT NULL,
      resets_at ${integer} NOT NULL
    ) ${compact}`,

    // Sign cookies and encrypt two-factor secrets.
    `CREATE TABLE console_secrets (
      version ${integer} NOT NULL PRIMARY KEY,
      value ${text} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${compact}`,
  ];
}

function requestTables({ integer, text, compact }: Dialect): string[] {
  return [
    // `id` begins with the milliseconds of `at`, in hexadecimal. `parameters` is a JSON array of names.
    `CREATE TABLE failed_requests (
      merchant_id ${integer} NOT NULL,
      id ${text} NOT NULL,
      at ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      client ${text},
      method ${text} NOT NULL,
      path ${text} NOT NULL,
      parameters ${text} NOT NULL,
      status ${integer} NOT NULL,
      error ${text},
      message ${text} NOT NULL,
      request_id ${text} NOT NULL,
      PRIMARY KEY (merchant_id, id)
    ) ${compact}`,
    // For the operator's groups of all merchants' failed calls, which are read from the index alone.
    `CREATE INDEX failed_requests_by_time
     ON failed_requests (at, merchant_id, status, error, method, path)`,

    // `hour` is the time at which the hour begins, `endpoint` a method and the pattern of a path.
    `CREATE TABLE usage_hours (
      merchant_id ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      endpoint ${text} NOT NULL,
      status ${integer} NOT NULL,
      requests ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, hour, key_id, endpoint, status)
    ) ${compact}`,

    // Global. The calls of all merchants in ten minutes that begin at `since`, and how many of them failed.
    `CREATE TABLE call_totals (
      since ${integer} NOT NULL PRIMARY KEY,
      requests ${integer} NOT NULL,
      failed ${integer} NOT NULL
    ) ${compact}`,
  ];
}

function metadataTables({ text, compact, ordinary }: Dialect): string[] {
  return [
    // Global. The lists that the operator has set, as JSON; others have their default.
    `CREATE TABLE metadata_lists (
      name ${text} NOT NULL PRIMARY KEY,
      value ${text} NOT NULL
    ) ${ordinary}`,

    // Global. The entries of the list `categories`, to look up what merchants state.
    `CREATE TABLE listed_categories (
      category ${text} NOT NULL PRIMARY KEY
    ) ${compact}`,
  ];
}

function nodeTables({ integer, text, compact, ordinary }: Dialect): string[] {
  return [
    // Global. The processes that serve the database, deleted a day after `seen_at`.
    `CREATE TABLE nodes (
      id ${text} NOT NULL PRIMARY KEY,
      host ${text} NOT NULL,
      pid ${integer} NOT NULL,
      version ${text} NOT NULL,
      started_at ${integer} NOT NULL,
      seen_at ${integer} NOT NULL
    ) ${ordinary}`,

    // Global. What a process measured in the five minutes that begin at `at`, deleted after a day. Durations
    // are microseconds; the quantiles are null if there were no requests.
    `CREATE TABLE node_metrics (
      at ${integer} NOT NULL,
      node_id ${text} NOT NULL,
      requests ${integer} NOT NULL,
      errors ${integer} NOT NULL,
      p50 ${integer},
      p99 ${integer},
      loop_delay ${integer} NOT NULL,
      memory_bytes ${integer} NOT NULL,
      outbox_seconds ${integer} NOT NULL,
      PRIMARY KEY (at, node_id)
    ) ${compact}`,
  ];
}

function certificateTables({ integer, text, ordinary }: Dialect): string[] {
  return [
    // Global. The accounts with certificate authorities. Private keys are encrypted, as in the next table.
    `CREATE TABLE acme_accounts (
      directory ${text} NOT NULL PRIMARY KEY,
      private_key ${text} NOT NULL,
      created_at ${integer} NOT NULL
    ) ${ordinary}`,

    // Global. One row: the certificate that every process serves.
    `CREATE TABLE acme_certificates (
      id ${integer} NOT NULL PRIMARY KEY,
      directory ${text} NOT NULL,
      hosts ${text} NOT NULL,
      certificate ${text} NOT NULL,
      private_key ${text} NOT NULL,
      valid_from ${integer} NOT NULL,
      valid_to ${integer} NOT NULL,
      renew_at ${integer} NOT NULL
    ) ${ordinary}`,

    // Global. At most one row: the last failure, and how many there were since the last success.
    `CREATE TABLE acme_failures (
      id ${integer} NOT NULL PRIMARY KEY,
      directory ${text} NOT NULL,
      hosts ${text} NOT NULL,
      failed_at ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      reason ${text} NOT NULL,
      retry_at ${integer} NOT NULL
    ) ${ordinary}`,

    // Global. What an authority checks now.
    `CREATE TABLE acme_challenges (
      host ${text} NOT NULL PRIMARY KEY,
      digest ${text} NOT NULL
    ) ${ordinary}`,
  ];
}

function releaseTables({ integer, text, ordinary }: Dialect): string[] {
  return [
    // Global. At most one row: what RELEASE_FEED said last.
    `CREATE TABLE release_notices (
      id ${integer} NOT NULL PRIMARY KEY,
      feed ${text} NOT NULL,
      checked_at ${integer} NOT NULL,
      failures ${integer} NOT NULL,
      failure ${text},
      version ${text},
      security ${text},
      url ${text}
    ) ${ordinary}`,
  ];
}

import type { Database } from '../database/database.ts';

/** A table of the schema, without the columns that only `readColumns` needs to know. */
export interface Table {
  name: string;
  /** Begins with `merchant_id` if each row belongs to a merchant. */
  primaryKey: readonly string[];
  /** A column whose values can be so large that a page of rows must be limited by its size in bytes. */
  large?: string;
}

/** A table with all columns that its schema has, in order. */
export interface TableWithColumns extends Table {
  columns: readonly string[];
}

/**
 * Every table of the schema, in the order in which they are copied. Tokens come last: until then, a service
 * that already had the target open accepts no request.
 */
export const tables: readonly Table[] = [
  { name: 'merchants', primaryKey: ['id'] },
  { name: 'merchant_names', primaryKey: ['folded_name'] },
  { name: 'merchant_words', primaryKey: ['word', 'merchant_id'] },
  { name: 'merchant_counters', primaryKey: ['merchant_id'] },
  { name: 'api_keys', primaryKey: ['merchant_id', 'id'] },
  { name: 'key_tokens', primaryKey: ['merchant_id', 'token_hash'] },
  { name: 'products', primaryKey: ['merchant_id', 'internal_id'], large: 'record' },
  { name: 'product_counts', primaryKey: ['merchant_id', 'status', 'category'] },
  { name: 'campaign_products', primaryKey: ['merchant_id', 'campaign_name'] },
  { name: 'moderation_decisions', primaryKey: ['merchant_id', 'id'], large: 'reviewed' },
  { name: 'variations', primaryKey: ['merchant_id', 'identifier'] },
  { name: 'image_checks', primaryKey: ['merchant_id', 'url_hash'] },
  { name: 'product_images', primaryKey: ['merchant_id', 'product_id', 'url_hash'] },
  { name: 'image_cursors', primaryKey: ['merchant_id'] },
  { name: 'catalog_changes', primaryKey: ['merchant_id', 'revision', 'part'] },
  { name: 'campaign_changes', primaryKey: ['merchant_id', 'campaign_id', 'written_at', 'id'] },
  { name: 'order_changes', primaryKey: ['merchant_id', 'order_id', 'revision', 'part'], large: 'changes' },
  { name: 'product_changes', primaryKey: ['merchant_id', 'revision', 'product_id'], large: 'changes' },
  { name: 'search_words', primaryKey: ['merchant_id', 'word', 'block'] },
  { name: 'search_prefixes', primaryKey: ['merchant_id', 'word', 'block'] },
  { name: 'search_popular', primaryKey: ['merchant_id'], large: 'prefixes' },
  { name: 'search_blocks', primaryKey: ['merchant_id', 'block'] },
  { name: 'campaigns', primaryKey: ['merchant_id', 'id'] },
  { name: 'campaign_counts', primaryKey: ['merchant_id'] },
  { name: 'campaign_renames', primaryKey: ['merchant_id', 'id'] },
  { name: 'placements', primaryKey: ['merchant_id', 'placement_id'] },
  { name: 'placement_figures', primaryKey: ['merchant_id', 'campaign_id', 'product_id', 'day'] },
  { name: 'placement_requests', primaryKey: ['key'] },
  { name: 'placement_request_hours', primaryKey: ['currency', 'hour'] },
  { name: 'placement_hours', primaryKey: ['hour', 'currency', 'category', 'price'] },
  {
    name: 'placement_demand',
    primaryKey: ['hour', 'currency', 'type', 'category_1', 'category_2', 'floor', 'score'],
  },
  {
    name: 'placement_outcomes',
    primaryKey: ['merchant_id', 'hour', 'campaign_id', 'product_id', 'outcome', 'value'],
  },
  { name: 'idempotency_keys', primaryKey: ['merchant_id', 'idempotency_key'], large: 'response' },
  { name: 'schedules', primaryKey: ['merchant_id', 'schedule_id'] },
  { name: 'sales_months', primaryKey: ['merchant_id', 'month'] },
  { name: 'orders', primaryKey: ['merchant_id', 'order_id'], large: 'data' },
  { name: 'order_counters', primaryKey: ['merchant_id'] },
  { name: 'order_counts', primaryKey: ['merchant_id', 'status'] },
  { name: 'order_ranges', primaryKey: ['merchant_id', 'field', 'status', 'number'] },
  { name: 'order_customers', primaryKey: ['merchant_id', 'order_id'] },
  { name: 'customer_keys', primaryKey: ['name'] },
  { name: 'order_words', primaryKey: ['merchant_id', 'word', 'order_id'] },
  { name: 'imports', primaryKey: ['merchant_id', 'id'] },
  { name: 'column_mappings', primaryKey: ['merchant_id', 'headers'] },
  { name: 'import_rejections', primaryKey: ['merchant_id', 'import_id', 'position'] },
  { name: 'budget_uses', primaryKey: ['merchant_id', 'budget'] },
  { name: 'audit_entries', primaryKey: ['merchant_id', 'id'] },
  { name: 'console_users', primaryKey: ['id'] },
  { name: 'memberships', primaryKey: ['id'] },
  { name: 'operators', primaryKey: ['id'] },
  { name: 'marketplace', primaryKey: ['id'] },
  { name: 'user_sessions', primaryKey: ['id'] },
  { name: 'user_identities', primaryKey: ['realm', 'issuer', 'subject'] },
  { name: 'user_passkeys', primaryKey: ['id'] },
  { name: 'support_views', primaryKey: ['id'] },
  { name: 'user_accounts', primaryKey: ['id'] },
  { name: 'user_verifications', primaryKey: ['id'] },
  { name: 'user_two_factors', primaryKey: ['id'] },
  { name: 'attempt_counts', primaryKey: ['name'] },
  { name: 'console_secrets', primaryKey: ['version'] },
  { name: 'outbox', primaryKey: ['merchant_id', 'written_at', 'id'], large: 'data' },
  { name: 'events', primaryKey: ['number'], large: 'data' },
  { name: 'event_feed', primaryKey: ['id'] },
  { name: 'webhooks', primaryKey: ['id'] },
  { name: 'webhook_deliveries', primaryKey: ['event_number', 'webhook_id'] },
  { name: 'webhook_attempts', primaryKey: ['event_number', 'webhook_id', 'attempt'] },
  { name: 'mails', primaryKey: ['id'] },
  { name: 'request_counts', primaryKey: ['merchant_id', 'key_id'] },
  { name: 'failed_requests', primaryKey: ['merchant_id', 'id'] },
  { name: 'usage_hours', primaryKey: ['merchant_id', 'hour', 'key_id', 'endpoint', 'status'] },
  { name: 'call_totals', primaryKey: ['since'] },
  { name: 'metadata_lists', primaryKey: ['name'], large: 'value' },
  { name: 'listed_categories', primaryKey: ['category'] },
  { name: 'nodes', primaryKey: ['id'] },
  { name: 'node_metrics', primaryKey: ['at', 'node_id'] },
  { name: 'acme_accounts', primaryKey: ['directory'] },
  { name: 'acme_certificates', primaryKey: ['id'] },
  { name: 'acme_failures', primaryKey: ['id'] },
  { name: 'acme_challenges', primaryKey: ['host'] },
  { name: 'release_notices', primaryKey: ['id'] },
  { name: 'access_tokens', primaryKey: ['token_hash'] },
];

/** Whether each row of a table belongs to a merchant. */
export function isPerMerchant({ primaryKey }: Table): boolean {
  return primaryKey[0] === 'merchant_id';
}

/** Reads a table's columns from the schema, so that the migrations alone define them. */
export async function readColumns(database: Database, table: Table): Promise<TableWithColumns> {
  const rows = await database.all(database.dialect.listColumns, { table: table.name });
  return { ...table, columns: rows.map(({ name }) => name) };
}

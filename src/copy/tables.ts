/** A table that is copied. */
export interface Table {
  name: string;
  /** Begins with `merchant_id` where the table is merchants' own. */
  primaryKey: readonly string[];
  /** Every other column. */
  columns: readonly string[];
  /** The column, if there is one, whose values may be so large that they have to be counted. */
  large?: string;
  /** The column that is unique too: inside a merchant, where the table is merchants' own. */
  unique?: string;
}

/**
 * Every table of the schema. Merchants come first: whose rows a copy has begun with can be told from them.
 * Tokens come last: as long as they are missing, nobody can ask a service for what is there in part.
 */
export const tables: readonly Table[] = [
  {
    name: 'merchants',
    primaryKey: ['id'],
    columns: [
      'name',
      'email',
      'time_zone',
      'created_at',
      'catalog_revision',
      'last_product_id',
      'last_variation_id',
      'last_key_id',
    ],
    unique: 'name',
  },
  {
    name: 'api_keys',
    primaryKey: ['merchant_id', 'id'],
    columns: [
      'name',
      'token_start',
      'token_end',
      'created_at',
      'last_used_at',
      'last_erp_name',
      'last_user_agent',
    ],
  },
  {
    name: 'products',
    primaryKey: ['merchant_id', 'internal_id'],
    columns: [
      'identifier',
      'status',
      'category_1',
      'category_2',
      'created_at',
      'updated_at',
      'ratings_average',
      'cost_basis',
      'scheduling_fee_bid',
      'sales_count',
      'reserve_price',
      'schedule_count',
      'rated_count',
      'rating_sum',
      'moderation',
      'stock_tracked',
      'status_stated',
      'record',
    ],
    large: 'record',
    unique: 'identifier',
  },
  { name: 'product_counts', primaryKey: ['merchant_id', 'status', 'category'], columns: ['products'] },
  { name: 'variations', primaryKey: ['merchant_id', 'identifier'], columns: ['product_id'] },
  {
    name: 'campaigns',
    primaryKey: ['merchant_id', 'id'],
    columns: [
      'name',
      'type',
      'daily_budget',
      'bid_amount',
      'status',
      'daily_budget_per_product',
      'lifetime_budget',
      'lifetime_budget_per_product',
      'created_at',
    ],
  },
  {
    name: 'idempotency_keys',
    primaryKey: ['merchant_id', 'idempotency_key'],
    columns: ['fingerprint', 'answer', 'created_at'],
    large: 'answer',
  },
  {
    name: 'schedules',
    primaryKey: ['merchant_id', 'schedule_id'],
    columns: ['product_id', 'scheduled_at', 'month', 'sold', 'sale_price', 'rating'],
  },
  {
    name: 'sales_months',
    primaryKey: ['merchant_id', 'month'],
    columns: ['schedules', 'sold', 'total_sales', 'rated', 'rating_sum'],
  },
  {
    name: 'uploads',
    primaryKey: ['merchant_id', 'id'],
    columns: [
      'name',
      'bytes',
      'state',
      'progress',
      'format',
      'failure',
      'summary',
      'rejections',
      'ignored_columns',
      'created_at',
      'alive_at',
    ],
    large: 'rejections',
  },
  { name: 'budget_uses', primaryKey: ['merchant_id', 'budget'], columns: ['day', 'used'] },
  { name: 'audit_entries', primaryKey: ['merchant_id', 'id'], columns: ['at', 'who', 'action', 'subject'] },
  {
    name: 'console_users',
    primaryKey: ['id'],
    columns: ['merchant_id', 'name', 'email', 'two_factor', 'created_at', 'updated_at'],
    unique: 'email',
  },
  {
    name: 'console_sessions',
    primaryKey: ['id'],
    columns: ['user_id', 'token_hash', 'expires_at', 'user_agent', 'created_at', 'updated_at'],
    unique: 'token_hash',
  },
  {
    name: 'console_accounts',
    primaryKey: ['id'],
    columns: ['user_id', 'provider', 'account_id', 'password_hash', 'created_at', 'updated_at'],
    unique: 'user_id',
  },
  {
    name: 'console_verifications',
    primaryKey: ['id'],
    columns: ['identifier_hash', 'value', 'expires_at', 'created_at', 'updated_at'],
  },
  {
    name: 'console_two_factors',
    primaryKey: ['id'],
    columns: ['user_id', 'secret', 'backup_codes', 'verified', 'failed_attempts', 'locked_until'],
    unique: 'user_id',
  },
  { name: 'console_rate_limits', primaryKey: ['name'], columns: ['attempts', 'resets_at'] },
  { name: 'console_secrets', primaryKey: ['version'], columns: ['value', 'created_at'] },
  { name: 'request_counts', primaryKey: ['merchant_id', 'key_id'], columns: ['minute', 'requests'] },
  {
    name: 'access_tokens',
    primaryKey: ['token_hash'],
    columns: ['merchant_id', 'key_id', 'expires_at', 'revoked_at'],
  },
];

/** Whether its rows are merchants' own. */
export function isOwned({ primaryKey }: Table): boolean {
  return primaryKey[0] === 'merchant_id';
}

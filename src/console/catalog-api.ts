import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Campaign, CampaignStatus } from '../campaigns/campaign.ts';
import type { CampaignPerformance } from '../placements/performance/campaign-performance.ts';
import type { ProductImportSummary } from '../products/files/import-products.ts';
import type { Product, ProductStatus } from '../products/record/product.ts';
import type { RefusedKey } from '../requests/failed-request.ts';
import type { MonthlySales } from '../sales/monthly-sales.ts';
import type { ProductSales } from '../sales/product-sales-record.ts';
import type { ExplainedName } from '../shared/setting-values.ts';
import type { OrderCounts } from './order-api.ts';

// The part of the console's API about products, imports, campaigns, sales and calls. `console-api.ts` has the
// other part, and says who may call it.

/**
 * GET /console/api/products: the public API's parameters and error messages, without `pagination`. To search:
 * `query`, `condition`, `campaign`, `price_from`, `price_below`, `stock_from`, `stock_below`, and
 * `images=failing` for products with an image that does not work. Deleted products are listed only with
 * `status=deleted`.
 */
export interface ProductPageView {
  results: Product[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}
/**
 * POST /console/api/products/bulk with what to change, and `ids` or `all=true` with the list's filters:
 * writes a file with the change and checks it. Importing it makes the change. GET
 * /console/api/products/export.csv takes the list's filters. The file contains no formulas for a spreadsheet,
 * and importing it changes nothing.
 */
export interface BulkPreview {
  /** The import. */
  id: string;
  /** How many are selected. */
  products: number;
}
/**
 * GET or POST /console/api/find with `text`: the first products and orders that match, newest first, after an
 * order with this ID. Only POST, which viewers may not send, finds orders by the customer's name.
 */
export interface Found {
  products: PaletteProduct[];
  orders: { order_id: number; product_name: string }[];
}
export type PaletteProduct = Pick<Product, 'internal_id' | 'identifier' | 'title'>;
/** GET /console/api/products/counts: the list's filters, except `status`. */
export interface ProductCounts {
  /** Without deleted products. */
  all: number;
  by_status: Record<ProductStatus, number>;
}
/** GET /console/api/views: the user's saved product lists, in order. POST replaces them. Names are unique. */
export interface SavedViews {
  views: SavedView[];
}
export interface SavedView {
  name: string;
  /** The parameters of the list. */
  listing: Record<string, string>;
}
/**
 * GET /console/api/product-columns: the columns of the user's product lists. POST replaces them; null
 * restores the default. The pages decide which columns there are.
 */
export interface ProductColumns {
  /** Null for the default. */
  columns: string[] | null;
}
/** GET /console/api/products/names?identifiers=A,B: no entry for products that do not exist. */
export interface ProductNames {
  products: ProductName[];
}
/** The title is null if there is none, or if the record is too large to read here. */
export type ProductName = Pick<Product, 'internal_id' | 'identifier' | 'title'>;
/**
 * GET /console/api/products/categories?query=&parent=&after=&limit=50: categories of one (`A`) or two levels
 * (`A | B`) that contain `query`; or the second levels of `parent`; or else the first levels.
 */
export interface CategoryPage {
  categories: { category: string; products: number }[];
  /** `after` of the next page; null on the last page. A page before the last may be empty. */
  next: string | null;
}
/**
 * POST /console/api/imports?name=FILE with the file as the body checks what importing it would change. GET
 * /console/api/imports/ID returns its progress. POST /console/api/imports/ID/import starts the import and,
 * with `notify`, mails its end to the user. POST /console/api/imports/ID/check with `sheet` checks another
 * sheet, and with `columns` the columns by other names, which are remembered. POST
 * /console/api/imports/ID/cancel stops a check or an import. DELETE discards it. The public API's imports are
 * included.
 */
export interface ConsoleImport extends ListedImport {
  bytes: number;
  /** The progress of the current step, 0 to 1. */
  progress: number;
  format: 'csv' | 'ndjson' | 'shopify' | null;
  /** What would change, once `checked`; what has changed so far, from `importing` on. */
  summary: ProductImportSummary | null;
  /** Whether the import has ended, and has changed products. */
  can_undo: boolean;
  /** The first 100 rejections. GET /console/api/imports/ID/rejects.csv returns up to 10,000. */
  rejections: { line: number; column: string; value: string; reason: string; identifier: string }[];
  more_rejections: boolean;
  /** Changes of up to 100 products; null while the file is checked or imported. */
  changes: ImportedChange[] | null;
  /** Of a workbook: the sheet that is imported, and the names of all sheets. */
  sheet: { name: string; names: string[] } | null;
  /** The columns of a table, each with one of its values; empty for NDJSON, and if there are too many. */
  columns: { name: string; sample: string }[];
  /**
   * What columns mean, as the user has chosen: names of our columns by header, '' for columns that are left
   * out.
   */
  mapping: Record<string, string> | null;
  /** Whether this is what the user chose for another file. */
  is_remembered: boolean;
  ignored_columns: string[];
  /**
   * For the user. Of a file that is `checked`: why it cannot be imported with this sheet and these columns.
   */
  failure: string | null;
}
/** Changes of one product. Long texts end with “…”. */
export interface ImportedChange {
  identifier: string;
  title: string | null;
  is_new: boolean;
  /** Null is no value. Names are the public API's, such as `variations[SKU][quantity]`. */
  fields: { name: string; before: string | null; after: string | null }[];
  more_fields: number;
}
/** POST /console/api/imports/undo with `import_id` or `change_id`: the import whose preview is prepared. */
export interface StartedUndo {
  id: string;
}
/** The most that a list of imports has. */
export const MAX_LISTED_IMPORTS = 50;
/**
 * GET /console/api/imports?limit=10: the imports of the last day, newest first. With `rejecting=true`, the
 * ones that are done and have rejected rows.
 */
export interface ImportList {
  imports: ListedImport[];
}
export interface ListedImport {
  id: string;
  name: string;
  /** `checking` → `checked` → `importing` → `done`; a check or import can end `failed` or `canceled`. */
  state: 'checking' | 'checked' | 'importing' | 'done' | 'failed' | 'canceled';
  /** Whether it changes many products at once; `name` then describes the change. */
  is_bulk: boolean;
  /** Whether it is checked, but cannot be imported as it is: see `failure`. */
  is_blocked: boolean;
  /** The user's name and email, or the key. */
  created_by: string;
  created_at: string;
}
/** GET /console/api/campaigns/overview */
export interface CampaignOverview {
  counts: { all: number; by_status: Readonly<Record<CampaignStatus, number>> };
  /** Null for any. */
  types: ExplainedName[] | null;
}

/** GET /console/api/campaigns/returns?ids=ID,ID */
export interface CampaignReturns {
  /** `return_on_spend` of all days by the campaign's ID; without campaigns that had no placements. */
  returns: Readonly<Record<string, number | null>>;
}

/** GET /console/api/campaigns/ID/products?before=INTERNAL_ID&limit=20, newest first, no deleted ones. */
export interface CampaignProducts {
  products: CampaignProduct[];
  /** `before` of the next page; null on the last page. */
  next: number | null;
}
/** Title and image are null if missing, or if the record is too large to read here. */
export type CampaignProduct = Pick<
  Product,
  'internal_id' | 'identifier' | 'status' | 'title' | 'primary_image'
>;

/**
 * POST /console/api/campaigns/ID changes the name and the amounts; null clears an amount. `moved_products`
 * is null if so many move that it takes minutes.
 */
export type ChangedCampaign = Campaign & { moved_products: number | null };

/**
 * GET /console/api/requests?status=&key=&path=&request_id=&before=&limit=50: failed calls of the last seven
 * days. GET /console/api/requests/usage?hours=24&key= counts all calls.
 */
export type { FailedRequest, FailedRequestList, UsageReport } from '../requests/failed-request.ts';
/** GET /console/api/requests/refused-keys */
export interface RefusedKeyList {
  keys: RefusedKey[];
}

/**
 * GET /console/api/sales/products?from=2026-02-01&to=2026-02-28&sort=revenue_descending&page=1&per_page=50
 * or with `duration` instead of days. `sort`: a field, then `_ascending` or `_descending`.
 */
export interface ProductSalesPage {
  products: ListedProductSales[];
  page: number;
  per_page: number;
  total_entries: number;
}
/** `product` is null if it has been removed meanwhile. */
export type ListedProductSales = ProductSales & {
  product: (ProductName & Pick<Product, 'primary_image'>) | null;
};
/**
 * GET /console/api/sales/report?from=2026-02-01&to=2026-02-28&unit=day&compare=previous_months
 * Without `from`, since the first month with schedules. `compare`: a `Comparison`; by default, none.
 */
export type { SalesReport } from '../sales/report.ts';

/** GET /console/api/overview */
export interface Overview {
  /** Calendar months in the merchant's time zone; null without schedules. */
  this_month: MonthlySales | null;
  last_month: MonthlySales | null;
  /** Last month up to this day and time; null if either month has no schedules, or too many to sum. */
  last_month_to_date: MonthlySales | null;
  /** Of all campaigns, each up to today's day of the month; null without placements in these two months. */
  ads: { this_month: CampaignPerformance; last_month_to_date: CampaignPerformance } | null;
  /** By day; null without schedules on these days, or with too many to sum. */
  last_days: LastDays | null;
  /** The most urgent first. */
  attention: ShopAttention[];
  orders: OrderCounts;
  products: ProductCounts;
  /** Up to ten products with the status low_inventory: those whose stock lasts the shortest time first. */
  low_inventory: LowProduct[];
  /** `token_shown`: whether a key was used, or a user created or rotated one in the console. */
  keys: { active: number; last_used_at: string | null; token_shown: boolean };
  campaigns: number;
  recent: AuditEntry[];
}

/** The figures of each of the last 30 days in the merchant's time zone; the last one is today. */
export interface LastDays {
  /** `YYYY-MM-DD` */
  first: string;
  /** Null on days without schedules, or without what the figure divides by. */
  figures: Record<Exclude<keyof MonthlySales, 'month'>, (number | null)[]>;
}

/** Something that needs the merchant's attention. `count` is the length of the list that it leads to. */
export interface ShopAttention {
  concern: ShopConcern;
  count: number;
  /** If `count` is 1 and the list has names: the ID of the webhook, key or import, and what it is called. */
  only: { id: string; name: string } | null;
  /** Of `products_sold_out`: how many of them are best sellers. Of `imports_rejecting`: all rejected rows. */
  part: number | null;
  /** Of `images_failing`: whether there may be more products, which the list leaves out. */
  more: boolean;
}

/** In the order of their urgency. */
export const concerns = [
  'orders_overdue',
  'products_problematic',
  'products_banned',
  'products_sold_out',
  'images_failing',
  'webhooks_failing',
  'keys_expiring',
  'imports_rejecting',
  'campaigns_exhausted',
] as const;
export type ShopConcern = (typeof concerns)[number];

export interface LowProduct extends Pick<Product, 'internal_id' | 'identifier'> {
  /** Null if the record is too large to read here. */
  product: Product | null;
  /** In the last 30 days. */
  sold: number;
  /** Days that the stock lasts at that rate; null if it is unknown or if nothing was sold. */
  days_of_cover: number | null;
}

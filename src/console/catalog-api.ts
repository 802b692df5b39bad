import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Campaign, CampaignStatus } from '../campaigns/campaign.ts';
import type { CampaignType } from '../config.ts';
import type { CampaignPerformance } from '../placements/performance/campaign-performance.ts';
import type { ProductImportSummary } from '../products/files/import-products.ts';
import type { Product, ProductStatus } from '../products/record/product.ts';
import type { RefusedKey } from '../requests/failed-request.ts';
import type { MonthlySales } from '../sales/monthly-sales.ts';
import type { ProductSales } from '../sales/product-sales-record.ts';
import type { OrderCounts } from './order-api.ts';

// The part of the console's API about products, imports, campaigns, sales and calls. `console-api.ts` has the
// other part, and says who may call it.

/**
 * GET /console/api/products: the public API's parameters and error messages, without `pagination`. To search:
 * `query`, `condition`, `campaign`, `price_from`, `price_below`, `stock_from`, `stock_below`. Deleted
 * products are listed only with `status=deleted`.
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
 * with `notify`, mails its end to the user. POST /console/api/imports/ID/cancel stops a check or an import.
 * DELETE discards it. The public API's imports are included.
 */
export interface ConsoleImport extends ListedImport {
  bytes: number;
  /** The progress of the current step, 0 to 1. */
  progress: number;
  format: 'csv' | 'ndjson' | 'shopify' | null;
  /** What would change, once `checked`; what has changed so far, from `importing` on. */
  summary: ProductImportSummary | null;
  /** The first 100 rejections. GET /console/api/imports/ID/rejects.csv returns up to 10,000. */
  rejections: { line: number; column: string; value: string; reason: string; identifier: string }[];
  more_rejections: boolean;
  /** Changes of up to 100 products; null while the file is checked or imported. */
  changes: ImportedChange[] | null;
  ignored_columns: string[];
  /** For the user. */
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
/** GET /console/api/imports?limit=10: the imports of the last day, newest first. */
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
  /** The user's name and email, or the key. */
  created_by: string;
  created_at: string;
}
/** GET /console/api/campaigns/overview */
export interface CampaignOverview {
  counts: { all: number; by_status: Readonly<Record<CampaignStatus, number>> };
  /** Null for any. */
  types: CampaignType[] | null;
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

/** GET /console/api/sales/products?duration=last_30_days&page=1&per_page=50: highest revenue first. */
export interface ProductSalesPage {
  products: ProductSales[];
  page: number;
  per_page: number;
  total_entries: number;
}
/** GET /console/api/sales/month-to-date?month=2026-05 */
export interface MonthToDate {
  /** The month up to the current day and time; null with no schedules up to then, or too many to sum. */
  sales: MonthlySales | null;
}

/** GET /console/api/overview */
export interface Overview {
  /** Calendar months in the merchant's time zone; null without schedules. */
  this_month: MonthlySales | null;
  last_month: MonthlySales | null;
  /** Last month up to this day and time; null if either month has no schedules, or too many to sum. */
  last_month_to_date: MonthlySales | null;
  /** Of all campaigns, each up to today's day of the month; null without placements in these two months. */
  ads: { this_month: CampaignPerformance; last_month_to_date: CampaignPerformance } | null;
  orders: OrderCounts;
  products: ProductCounts;
  /** Up to ten products with the status low_inventory, lowest quantity first. */
  low_inventory: LowProduct[];
  /** `token_shown`: whether a key was used, or a user created or rotated one in the console. */
  keys: { active: number; last_used_at: string | null; token_shown: boolean };
  campaigns: number;
  recent: AuditEntry[];
}

/** Title and quantity are null if unknown, or if the record is too large to read here. */
export interface LowProduct {
  internal_id: number;
  identifier: string;
  title: string | null;
  available_quantity: number | null;
  /** Days that the stock lasts at the rate of the last 30 days; null if unknown or if nothing was sold. */
  days_of_cover: number | null;
}

import type { KeySummary } from '../api-keys/list-keys.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import type { ProductImportSummary } from '../products/files/import-products.ts';
import type { Product, ProductStatus } from '../products/record/product.ts';
import type { MonthlySales } from '../sales/monthly-sales.ts';

/**
 * What the console's pages and its server say to each other: JSON under `/console/api`, with the session's
 * cookie. Names are those of the API where it has them. Sign-in, sign-out, passwords and the second factor
 * are better-auth's own, under `/console/api/auth`.
 *
 * Every error has `message`; those of a form have `fields` too. 401: there is no session, or it has ended.
 */
export interface ConsoleError {
  message: string;
  fields?: { name: string; reason: string }[];
}

/** GET /console/api/session */
export interface ConsoleSession {
  /** The user has to set up two-factor authentication first: other calls answer with 403. */
  two_factor_missing: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean };
  merchant: { id: number; name: string; time_zone: string; created_at: string };
  /** The base URL of the API itself, for `curl` commands. */
  api_url: string;
  /** The service's self-signed certificate as PEM, for clients to trust; null if it serves another or none. */
  certificate: string | null;
}

/**
 * GET /console/api/sessions: the user's own sessions, the last used first. DELETE /console/api/sessions/ID ends
 * one; DELETE /console/api/sessions ends all but the one that asks.
 */
export interface SessionList {
  sessions: SessionSummary[];
}
export interface SessionSummary {
  id: string;
  created_at: string;
  /** Written at most every 15 minutes. */
  last_used_at: string;
  /** Whether it is the session that asks. */
  current: boolean;
  /** What the browser calls itself, at most 200 characters. */
  user_agent: string | null;
}

/** GET /console/api/options: what a visitor without a session may know. */
export interface ConsoleOptions {
  self_registration: boolean;
}

/** GET /console/api/keys?before=ID&limit=50, newest first. POST creates a key; its token is shown once. */
export interface KeyList {
  keys: KeySummary[];
  /** The value of `before` for the next page; null on the last page. */
  next: string | null;
}
/** POST /console/api/keys */
export interface NewKeyForm {
  name: string;
  /** RFC 3339, or null for never. */
  expires_at: string | null;
}
/** POST /console/api/keys/ID/rotate: the old token works until then, and never past its own expiry. */
export interface RotateKeyForm {
  /** RFC 3339, or null for at once. */
  old_token_until: string | null;
}
/** Answer to both; POST /console/api/keys/ID/revoke answers with the key's KeySummary. */
export interface NewToken {
  id: string;
  access_token: string;
}

/** GET /console/api/audit?before=ID&limit=50, newest first. */
export type { AuditEntry, AuditList } from '../audit/audit-entry.ts';

/**
 * GET /console/api/products?status=&category=&sort=&page=&per_page=: the parameters of the API's own list,
 * with the API's own messages for wrong ones.
 */
export interface ProductPageView {
  results: Product[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}
/** GET /console/api/products/counts: for the tabs. */
export interface ProductCounts {
  all: number;
  by_status: Record<ProductStatus, number>;
}
/**
 * GET /console/api/products/categories?query=&first=&after=&limit=50: categories that contain `query`, of one
 * level (`A`) and of two (`A | B`); or the second levels of `first`; or else the first levels.
 */
export interface CategoryPage {
  categories: { category: string; products: number }[];
  /** The value of `after` for the next page; null on the last page. A page before the last may be empty. */
  next: string | null;
}
/** GET /console/api/products/INTERNAL_ID answers with the Product as the API gives it. */

/** POST /console/api/uploads?name=FILE with the file as the body: it is read, and what would change is told. */
export interface Upload {
  id: string;
  name: string;
  bytes: number;
  /** `checking` → `ready` (or `failed`) → `importing` → `done` (or `failed`). */
  state: 'checking' | 'ready' | 'importing' | 'done' | 'failed';
  /** 0 to 1, of the step under way. */
  progress: number;
  format: 'csv' | 'ndjson' | 'shopify' | null;
  /** What would change, once `ready`; what did, once `done`. */
  summary: ProductImportSummary | null;
  /** The first rejected rows; all of them: GET /console/api/uploads/ID/rejects.csv. */
  rejections: { line: number; column: string; value: string; reason: string }[];
  ignored_columns: string[];
  /** Why it failed, for people. */
  failure: string | null;
}
/** GET /console/api/uploads/ID; POST /console/api/uploads/ID/import begins; DELETE forgets it. */

/** GET /console/api/campaigns?page=1&per_page=25, newest first; POST takes the API's own parameters as JSON. */
export interface CampaignPage {
  campaigns: (Campaign & { id: string; created_at: string })[];
  page: number;
  per_page: number;
  total_entries: number;
  /** The types that may be created, or null for any. */
  types: string[] | null;
}

/** GET /console/api/sales: the same records as `GET /performance/sales.json`. */
export interface SalesView {
  months: MonthlySales[];
}

/** GET /console/api/overview */
export interface Overview {
  /** The current calendar month in the merchant's time zone, and the one before; null without schedules. */
  this_month: MonthlySales | null;
  last_month: MonthlySales | null;
  /** Last month up to this day and time of the month; null if either month has no schedules, or too many to sum. */
  last_month_to_date: MonthlySales | null;
  products: ProductCounts;
  /** Up to ten products with the status low_inventory, the lowest quantity first. */
  low_inventory: LowProduct[];
  /** `token_shown`: whether a key has been used, or a user has created or rotated one in the console. */
  keys: { active: number; last_used_at: string | null; token_shown: boolean };
  campaigns: number;
  recent: AuditEntry[];
}

/** Title and quantity are null if unknown, and for a product whose record is too large to read here. */
export interface LowProduct {
  internal_id: number;
  identifier: string;
  title: string | null;
  available_quantity: number | null;
}

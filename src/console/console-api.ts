import type { KeySummary } from '../api-keys/list-keys.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Campaign, CampaignStatus } from '../campaigns/campaign.ts';
import type { CampaignType } from '../config.ts';
import type { Mode } from '../database/sides.ts';
import type { EventType } from '../events/event-types.ts';
import type { ProductImportSummary } from '../products/files/import-products.ts';
import type { Product, ProductStatus } from '../products/record/product.ts';
import type { RefusedKey } from '../requests/failed-request.ts';
import type { MonthlySales } from '../sales/monthly-sales.ts';
import type { ProductSales } from '../sales/product-sales-record.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { OptionalMail } from './mails/optional-mails.ts';
import type { UserSummary } from './users/list-users.ts';
import type { Role } from './users/role.ts';

// The console's API: JSON under `/console/api`, authenticated by the session cookie. Names are the same as in the
// public API where both have them. Sign-in, sign-out, passwords and two-factor authentication are better-auth's, under
// `/console/api/auth`. A call that the user's role does not allow returns 403 with the roles that do.

/**
 * The body of an error. `fields` lists invalid form fields or parameters. 401 means that there is no
 * valid session or, from a sign-in call, that the sign-in failed.
 */
export interface ConsoleError {
  message: string;
  fields?: { name: string; reason: string }[];
}

/** GET /console/api/session */
export interface ConsoleSession {
  /** Whether the user must set up two-factor authentication first; other calls then return 403. */
  two_factor_missing: boolean;
  /** Who requires two-factor authentication of the user; null if it is optional. */
  two_factor_required_by: 'operator' | 'owner' | null;
  /** Whether the operator has suspended the merchant; other calls then return 403. */
  suspended: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: { id: number; name: string; time_zone: string; currency: string; created_at: string };
  /** The base URL of the API itself, for `curl` commands. */
  api_url: string;
  /** The service's self-signed certificate as PEM, for clients to trust; null if it serves another or none. */
  certificate: string | null;
}

/**
 * GET /console/api/sessions: the user's own sessions, most recently used first. DELETE /console/api/sessions/ID ends
 * one, and DELETE /console/api/sessions ends all except the current one.
 */
export interface SessionList {
  sessions: SessionSummary[];
}
export interface SessionSummary {
  id: string;
  created_at: string;
  /** Updated at most every 15 minutes. */
  last_used_at: string;
  /** Whether it is the session of this request. */
  current: boolean;
  /** The browser's `User-Agent`, at most 200 characters. */
  user_agent: string | null;
}

/**
 * GET /console/api/team: the merchant's users by email. POST /console/api/team invites one, with `email`, `name` and
 * `role`, and returns a `TeamInvitation`. POST /console/api/team/ID changes the `role` of another user, and DELETE removes
 * that user and ends their sessions. POST /console/api/team/ID/invitation invites a user again who has no password yet. POST
 * /console/api/team/two-factor sets `required`. All of these changes are for owners.
 */
export interface TeamList {
  members: TeamMember[];
  /** Whether the merchant requires two-factor authentication of its users. */
  requires_two_factor: boolean;
}
/** `password` is false until the user has accepted the invitation. */
export interface TeamMember extends UserSummary {
  id: string;
  /** Whether it is the user of this request. */
  current: boolean;
}
export interface TeamInvitation {
  /** Whether the user gets a mail with the link. */
  mailed: boolean;
  /** The link with which the user sets a password, once; null if the user gets it by mail. */
  set_password_url: string | null;
  expires_at: string;
}

/**
 * GET /console/api/shop. POST changes `name`, `time_zone` and `currency` like the operator's `PUT merchants/{external_id}`;
 * it is for owners.
 */
export interface ShopSettings {
  name: string;
  /** The IANA zone that decides which month a sale belongs to, and in which the console shows times. */
  time_zone: string;
  /** Whether the time zone cannot change, because there are sales. */
  time_zone_fixed: boolean;
  /** The ISO 4217 code of the currency of all amounts. */
  currency: string;
}

/** GET /console/api/notifications: the mails that the user gets. POST changes them. Other mails cannot be turned off. */
export type Notifications = Record<OptionalMail, boolean>;

/** GET /console/api/options: settings that pages without a session need. */
export interface ConsoleOptions {
  /**
   * Whether anyone can create a merchant with its first user: POST /console/api/registration with
   * `merchant_name`, `time_zone`, `name`, `password` and, if mail is sent, the `token` of a link, otherwise
   * an `email`.
   */
  self_registration: boolean;
  /**
   * Whether mail is sent. Then `POST /console/api/password-links` mails a link to the user with an `email`,
   * and `POST /console/api/registration-links` mails a link to register to an `email`.
   */
  mail: boolean;
}

/** POST /console/api/registration-links/check, with a `token`. */
export interface RegistrationLinkState {
  /** The email that the link confirms; null if the link does not work. */
  email: string | null;
  /** Whether the email has an account by now, so that the link cannot create one. */
  has_account: boolean;
}

/** POST /console/api/password-links/check, with a `token`: whether its link can still set a password. */
export interface PasswordLinkState {
  valid: boolean;
}

/** GET /console/api/keys?before=ID&limit=50, newest first, then test keys. POST creates a key; its token is shown once. */
export interface KeyList {
  keys: KeySummary[];
  /** The value of `before` for the next page; null on the last page. */
  next: string | null;
}
/** POST /console/api/keys */
export interface NewKeyForm {
  name: string;
  mode: KeySummary['mode'];
  /** Separated by commas. */
  scopes: string;
  /** RFC 3339, or null for never. */
  expires_at: string | null;
}
/** POST /console/api/keys/ID/rotate: the old token works until this time, or until it expires if that is earlier. */
export interface RotateKeyForm {
  /** RFC 3339, or null for immediately. */
  old_token_until: string | null;
}
/** The response to creating and to rotating a key. POST /console/api/keys/ID/revoke returns the key's `KeySummary`. */
export interface NewToken {
  id: string;
  access_token: string;
}

/** GET /console/api/webhooks: the webhooks of the live side, then of the test side, oldest first. */
export interface WebhookList {
  webhooks: ConsoleWebhook[];
  /** The types of events that a webhook can receive. */
  types: EventType[];
}
export interface ConsoleWebhook extends Webhook {
  mode: Mode;
  /** Its events wait until this time, because the budget `webhook_attempts_per_day` is used up; null if they do not. */
  waits_until: string | null;
}
/**
 * POST /console/api/webhooks creates a webhook; its secret is shown once. POST /console/api/webhooks/ID changes `url`,
 * `types`, `description` and `enabled`, and DELETE deletes it.
 */
export interface NewConsoleWebhook extends ConsoleWebhook {
  secret: string;
}
export interface WebhookForm {
  url: string;
  description: string | null;
  /** Separated by commas; null for all. */
  types: string | null;
}
/** POST /console/api/webhooks/ID/secret: the former secret also signs for 24 hours. */
export interface NewWebhookSecret {
  secret: string;
}
/**
 * POST /console/api/webhooks/ID/replay: sends events again: one (`event_id`), or those from `since` to `until`; of these
 * only the failed ones, unless `only_failed` is false. POST /console/api/webhooks/ID/test sends an example and returns a
 * `LastAttempt`.
 */
export interface Replayed {
  events: number;
}

/** GET /console/api/audit?before=ID&limit=50, newest first. */
export type { AuditEntry, AuditList } from '../audit/audit-entry.ts';
/** GET /console/api/webhooks/ID/deliveries?before=NEXT&limit=25&only_failed=true returns a `DeliveryList`. */
export type { Delivery, DeliveryList, LastAttempt } from '../webhooks/list-deliveries.ts';

/**
 * GET /console/api/products?status=&category=&sort=&page=&per_page=: the parameters of the public API's list, except
 * `pagination`, with the same error messages. The parameters `query`, `condition`, `campaign`, `price_from`,
 * `price_below`, `stock_from` and `stock_below` search. Deleted products are listed only with `status=deleted`.
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
 * POST /console/api/products/bulk with what to change, and `ids` or `all=true` with the filters of the list: writes a file
 * with the change and checks it. The import shows what would change, and importing it makes the change. GET
 * /console/api/products/export.csv takes the filters of the list. No spreadsheet finds a formula in it, and an upload of the
 * file changes nothing.
 */
export interface BulkPreview {
  /** The import's id. */
  id: string;
  /** The number of selected products. */
  products: number;
}
/** GET /console/api/products/counts takes the filters of the list, except `status`. */
export interface ProductCounts {
  /** Without deleted products. */
  all: number;
  by_status: Record<ProductStatus, number>;
}
/**
 * GET /console/api/views: the views of the list of products that the user has saved, in order. POST replaces them; two
 * views cannot have the same name.
 */
export interface SavedViews {
  views: SavedView[];
}
export interface SavedView {
  name: string;
  /** The parameters of the list. */
  listing: Record<string, string>;
}
/** GET /console/api/products/issues?identifier= */
export type { ModerationReason } from '../events/event-types.ts';
export type { ProductIssues } from '../products/moderation/moderate-product.ts';

/**
 * GET /console/api/products/categories?query=&parent=&after=&limit=50: categories of one (`A`) or two levels (`A | B`)
 * that contain `query`; or the second levels of `parent`; or else the first levels.
 */
export interface CategoryPage {
  categories: { category: string; products: number }[];
  /** The value of `after` for the next page; null on the last page. A page before the last may be empty. */
  next: string | null;
}
/**
 * GET /console/api/products/INTERNAL_ID returns a `Product` with an `ETag`. POST takes the parameters of the public API's
 * `products/update`, and returns the product after it. POST /console/api/products/INTERNAL_ID/enable, /disable and /delete
 * act like the public API's calls, and POST /console/api/products creates a product. With `If-Match`, the response is 412
 * if the product has changed since.
 */
export interface ProductConflict extends ConsoleError {
  /** The product as it is now; its `ETag` is in the header. */
  current: Product;
}

/**
 * POST /console/api/imports?name=FILE with the file as the body: starts a check of what importing it would change.
 * GET /console/api/imports/ID returns its progress, POST /console/api/imports/ID/import starts the import, and with
 * `notify` mails its end to the user, POST /console/api/imports/ID/cancel stops a check or an import, and DELETE discards the import. The imports of the public
 * API are imports too.
 */
export interface ConsoleImport extends ListedImport {
  bytes: number;
  /** The progress of the current step, 0 to 1. */
  progress: number;
  format: 'csv' | 'ndjson' | 'shopify' | null;
  /** What would change, once `checked`; what has changed so far, from `importing` on. */
  summary: ProductImportSummary | null;
  /** The first 100 reasons for rejecting rows. GET /console/api/imports/ID/rejects.csv returns up to 10,000. */
  rejections: { line: number; column: string; value: string; reason: string; identifier: string }[];
  /** Whether there are more reasons than these. */
  more_rejections: boolean;
  /** What changes of the first products, up to 100; null while the file is checked or imported. */
  changes: ImportedChange[] | null;
  ignored_columns: string[];
  /** Why it failed, for the user. */
  failure: string | null;
}
/** What a file changes of one product. Long texts end with “…”. */
export interface ImportedChange {
  identifier: string;
  title: string | null;
  is_new: boolean;
  /** Null is no value. The names are the public API's, such as `variations[SKU][quantity]`. */
  fields: { name: string; before: string | null; after: string | null }[];
  /** The number of further fields. */
  more_fields: number;
}
/** GET /console/api/imports?limit=10: the imports of the last day, newest first. */
export interface ImportList {
  imports: ListedImport[];
}
export interface ListedImport {
  id: string;
  name: string;
  /** `checking` → `checked` → `importing` → `done`. A check or an import can also be `failed` or `canceled`. */
  state: 'checking' | 'checked' | 'importing' | 'done' | 'failed' | 'canceled';
  /** Whether it is a change of many products at once; then `name` describes it. */
  is_bulk: boolean;
  /** The user's name and email, or the key that sent it. */
  created_by: string;
  created_at: string;
}
/**
 * GET /console/api/campaigns?status=&page=1&per_page=25, newest first. POST takes the public API's parameters as JSON. GET
 * /console/api/campaigns/ID returns a `Campaign`, POST changes its name and amounts, where null clears an amount, and POST
 * /console/api/campaigns/ID/pause, resume and end change its status.
 */
export interface CampaignPage {
  campaigns: Campaign[];
  page: number;
  per_page: number;
  total_entries: number;
  /** The numbers of all campaigns, whatever `status` is. */
  counts: { all: number; by_status: Readonly<Record<CampaignStatus, number>> };
  /** The allowed campaign types; null for any. */
  types: CampaignType[] | null;
}

/**
 * GET /console/api/campaigns/ID/products?before=INTERNAL_ID&limit=20: the products whose `campaign_name` is the name of the
 * campaign, without deleted ones, newest first.
 */
export interface CampaignProducts {
  products: CampaignProduct[];
  /** The value of `before` for the next page; null on the last page. */
  next: number | null;
}
/** Title and image are null if there is none, and for a product whose record is too large to read here. */
export type CampaignProduct = Pick<
  Product,
  'internal_id' | 'identifier' | 'status' | 'title' | 'primary_image'
>;

/**
 * POST /console/api/campaigns/ID. `moved_products` is the number of products that moved to a new name of the campaign, null
 * if they are so many that they follow within minutes.
 */
export type ChangedCampaign = Campaign & { moved_products: number | null };

/**
 * GET /console/api/requests?status=&key=&path=&request_id=&before=&limit=50: the failed calls of the last seven days. GET
 * /console/api/requests/usage?hours=24&key= counts all calls.
 */
export type { FailedRequest, FailedRequestList, UsageReport } from '../requests/failed-request.ts';
/** GET /console/api/requests/refused-keys */
export interface RefusedKeyList {
  keys: RefusedKey[];
}

/** GET /console/api/sales/products?duration=last_30_days&page=1&per_page=50: the products with the highest revenue first. */
export interface ProductSalesPage {
  products: ProductSales[];
  page: number;
  per_page: number;
  total_entries: number;
}
/** GET /console/api/sales/schedules?month= or product_identifier=, with after= and per_page=50 */
export type { ScheduleList } from '../sales/list-schedules.ts';
/** GET /console/api/sales: the same records as `GET /performance/sales.json`. */
export interface SalesView {
  months: MonthlySales[];
  /** The current calendar month in the merchant's time zone, as `YYYY-MM`. */
  this_month: string;
}
/** GET /console/api/sales/month-to-date?month=2026-05 */
export interface MonthToDate {
  /**
   * The month up to the current day and time of the month; null if it has no schedules up to then, or if the merchant has
   * too many schedules to sum.
   */
  sales: MonthlySales | null;
}

/** GET /console/api/overview */
export interface Overview {
  /** The current calendar month in the merchant's time zone, and the one before; null without schedules. */
  this_month: MonthlySales | null;
  last_month: MonthlySales | null;
  /**
   * Last month up to this day and time of the month; null if this month has no schedules,
   * if last month has none up to then, or if the merchant has too many schedules to sum.
   */
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
  /** How long the stock lasts at the rate of the last 30 days, in days; null if nothing was sold or if it is unknown. */
  days_of_cover: number | null;
}

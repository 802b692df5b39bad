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
import type { UserSummary } from '../users/list-users.ts';
import type { Role } from '../users/role.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { OptionalMail } from './mails/optional-mails.ts';

// What the console's pages need and the public API, which they also call, does not have: JSON under
// `/console/api`, authenticated by the session cookie. Sign-in, passwords and two-factor authentication are
// better-auth's, under `/console/api/auth`. A call that the user's role does not allow returns 403 with the
// roles that do.

/** `fields` lists invalid fields. 401 means no valid session or, from a sign-in call, a failed sign-in. */
export interface ConsoleError {
  message: string;
  fields?: { name: string; reason: string }[];
}

/** GET /console/api/session */
export interface ConsoleSession {
  /** Whether the user must set up two-factor authentication first; other calls then return 403. */
  two_factor_missing: boolean;
  /** Null if two-factor authentication is optional. */
  two_factor_required_by: 'operator' | 'owner' | null;
  /** Whether the operator has suspended the merchant; other calls then return 403. */
  suspended: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: { id: number; name: string; time_zone: string; currency: string; created_at: string };
  /** The API's base URL, for `curl` commands. */
  api_url: string;
  /** The service's self-signed certificate as PEM; null if it serves another or none. */
  certificate: string | null;
}

/**
 * GET /console/api/sessions: the user's own sessions, most recently used first. DELETE
 * /console/api/sessions/ID ends one, DELETE /console/api/sessions all except the current one.
 */
export interface SessionList {
  sessions: SessionSummary[];
}
export interface SessionSummary {
  id: string;
  created_at: string;
  /** Updated at most every 15 minutes. */
  last_used_at: string;
  /** Whether it is this request's session. */
  current: boolean;
  /** The browser's `User-Agent`, at most 200 characters. */
  user_agent: string | null;
}

/**
 * GET /console/api/team: the users by email. POST /console/api/team invites one, with `email`, `name` and
 * `role`, and returns a `TeamInvitation`. POST /console/api/team/ID changes another user's `role`; DELETE
 * removes the user and ends their sessions. POST /console/api/team/ID/invitation invites a user without a
 * password again. POST /console/api/team/two-factor sets `required`. All changes are for owners.
 */
export interface TeamList {
  members: TeamMember[];
  requires_two_factor: boolean;
}
/** `password` is false until the user has accepted the invitation. */
export interface TeamMember extends UserSummary {
  id: string;
  /** Whether it is this request's user. */
  current: boolean;
}
export interface TeamInvitation {
  /** Whether the user gets a mail with the link. */
  mailed: boolean;
  /** The link that sets a password, once; null if it is mailed. */
  set_password_url: string | null;
  expires_at: string;
}

/** GET /console/api/shop. For owners, POST changes it like the operator's `PUT merchants/{external_id}`. */
export interface ShopSettings {
  name: string;
  /** The IANA zone of the months of sales, and of the times that the console shows. */
  time_zone: string;
  /** Whether the time zone cannot change, because there are sales. */
  time_zone_fixed: boolean;
  /** The ISO 4217 code of all amounts. */
  currency: string;
}

/** GET /console/api/notifications: the mails that the user gets and can turn off. POST changes them. */
export type Notifications = Record<OptionalMail, boolean>;

/** GET /console/api/options: what pages without a session need. */
export interface ConsoleOptions {
  /**
   * Whether anyone can create a merchant and its first user: POST /console/api/registration with
   * `merchant_name`, `time_zone`, `name`, `password` and the `token` of a mailed link, or an `email` if no
   * mail is sent.
   */
  self_registration: boolean;
  /**
   * Whether mail is sent: `POST /console/api/password-links` mails a link to the user with an `email`, and
   * `POST /console/api/registration-links` mails a link to register.
   */
  mail: boolean;
}

/** POST /console/api/registration-links/check, with a `token`. */
export interface RegistrationLinkState {
  /** The email that the link confirms; null if it does not work. */
  email: string | null;
  /** Whether the email has an account by now, so that the link cannot create one. */
  has_account: boolean;
}

/** POST /console/api/password-links/check, with a `token`: whether its link still works. */
export interface PasswordLinkState {
  valid: boolean;
}

/** GET /console/api/keys?before=ID&limit=50, newest first, then test keys. POST creates a key. */
export interface KeyList {
  keys: KeySummary[];
  /** `before` of the next page; null on the last page. */
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
/** POST /console/api/keys/ID/rotate: how long the old token works, unless it expires earlier. */
export interface RotateKeyForm {
  /** RFC 3339, or null to end it now. */
  old_token_until: string | null;
}
/** Shown once, when a key is created or rotated. POST /console/api/keys/ID/revoke returns a `KeySummary`. */
export interface NewToken {
  id: string;
  access_token: string;
}

/** GET /console/api/webhooks: the live side's webhooks, then the test side's, oldest first. */
export interface WebhookList {
  webhooks: ConsoleWebhook[];
  types: EventType[];
}
export interface ConsoleWebhook extends Webhook {
  mode: Mode;
  /** Events wait until then, because the budget `webhook_attempts_per_day` is used up; else null. */
  waits_until: string | null;
}
/**
 * POST /console/api/webhooks creates a webhook; its secret is shown once. POST /console/api/webhooks/ID
 * changes `url`, `types`, `description` and `enabled`. DELETE deletes it.
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
 * POST /console/api/webhooks/ID/replay resends one event (`event_id`), or the events from `since` to `until`:
 * only the failed ones, unless `only_failed` is false. POST /console/api/webhooks/ID/test sends an example
 * and returns a `LastAttempt`.
 */
export interface Replayed {
  events: number;
}

/** GET /console/api/audit?before=ID&limit=50, newest first. */
export type { AuditEntry, AuditList } from '../audit/audit-entry.ts';
/** GET /console/api/webhooks/ID/deliveries?before=NEXT&limit=25&only_failed=true returns a `DeliveryList`. */
export type { Delivery, DeliveryList, LastAttempt } from '../webhooks/list-deliveries.ts';

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

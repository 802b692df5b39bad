import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { KeySummary } from '../api-keys/list-keys.ts';
import type { Mode } from '../database/sides.ts';
import type { EventType } from '../events/event-types.ts';
import type { UserSummary } from '../users/list-users.ts';
import type { Role } from '../users/role.ts';
import type { Delivery } from '../webhooks/list-deliveries.ts';
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
  /** What the operator says about the suspension; null if nothing. */
  suspension_reason: string | null;
  /** Whether an identity provider signed the user in. Passwords and second factors are then its own. */
  by_provider: boolean;
  /**
   * Set if the caller is an operator who looks at the console in a support view, and cannot change anything.
   * `suspended` then says whether the merchant is. The user is the operator, as a viewer.
   */
  support_view: { ends_at: string; suspended: boolean } | null;
  /** When the last support view ends in which operators look at the console now; null if there is none. */
  support_until: string | null;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: { id: number; name: string; time_zone: string; currency: string; created_at: string };
  /**
   * All shops of the user, by name; none in a support view. POST /console/api/session/shop with
   * `merchant_id` opens another one.
   */
  shops: { id: number; name: string }[];
  /**
   * Whether the merchant has test data, which POST /console/api/test-data opens. A page shows it by naming
   * the test side in its requests.
   */
  test_data: boolean;
  /** The API's base URL, for `curl` commands. */
  api_url: string;
  /** The service's self-signed certificate as PEM; null if it serves another or none. */
  certificate: string | null;
}

/** POST /console/api/test-data opens the merchant's test data. Repeating it changes nothing. */
export interface OpenedTestData {
  test_data: true;
}

/**
 * POST /console/api/support-view opens a support view with the `code` that the operator's screen created, in
 * a cookie that precedes the cookie of a session. DELETE ends it.
 */
export interface EndedSupportView {
  /** The page of the operator's screen from which it was opened; null if it ended long ago. */
  return_to: string | null;
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
 * GET /console/api/passkeys: the user's own passkeys, oldest first. POST /console/api/passkeys/ID changes the
 * `name`, DELETE removes it and ends the other sessions that it began. POST
 * /console/api/auth/passkeys/options with the `password` returns a `NewPasskeyRequest` for the browser, and
 * POST /console/api/auth/passkeys adds the browser's response, with a `name`.
 */
export interface PasskeyList {
  passkeys: PasskeySummary[];
}
export interface PasskeySummary {
  id: string;
  name: string;
  /** The host name at which browsers offer it. */
  host: string;
  created_at: string;
  /** Null before the first sign-in. */
  last_used_at: string | null;
}
export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON;

/**
 * POST /console/api/auth/sign-in/passkey/options: what a browser needs to use a passkey. POST
 * /console/api/auth/sign-in/passkey signs in with the browser's response.
 */
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON;

/**
 * GET /console/api/team: the users by email. POST /console/api/team invites one, with `email`, `name` and
 * `role`, and returns a `TeamInvitation`. POST /console/api/team/ID changes another user's `role`; DELETE
 * removes the user from the shop at once. POST /console/api/team/ID/invitation invites a user without a
 * password again. POST /console/api/team/two-factor sets `required`. All changes are for owners.
 */
export interface TeamList {
  members: TeamMember[];
  requires_two_factor: boolean;
}
/** `password` is false, and `name` is what the invitation says, until the user has accepted it. */
export interface TeamMember extends UserSummary {
  id: string;
  /** Whether it is this request's user. */
  current: boolean;
}
export interface TeamInvitation {
  /** Whether the user gets a mail with the link. */
  mailed: boolean;
  /** The link that sets a password, or joins the shop if the user has one; null if it is mailed. */
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
  single_sign_on: SingleSignOnOption | null;
}

/**
 * Who signs users in: POST /console/api/auth/single-sign-on returns the `url` to open; `next` is the page to
 * return to. The provider sends the browser to GET /console/api/auth/single-sign-on/callback, and that to
 * `next`, or to the sign-in page with a `problem`. `only` means that passwords are off.
 */
export interface SingleSignOnOption {
  name: string;
  only: boolean;
}
export interface SingleSignOnStart {
  url: string;
}
/** Why nobody was signed in. */
export type SignInProblem =
  | 'unreachable'
  | 'denied'
  | 'expired'
  | 'rejected'
  | 'misconfigured'
  | 'no_access'
  | 'email_unverified'
  | 'email_taken'
  | 'other_merchant'
  | 'too_many_users'
  | 'too_many_attempts';

/** POST /console/api/registration-links/check, with a `token`. */
export interface RegistrationLinkState {
  /** The email that the link confirms; null if it does not work. */
  email: string | null;
  /** Whether the email has an account by now, so that the link cannot create one. */
  has_account: boolean;
}

/** POST /console/api/password-links/check, with a `token`: what its link does. */
export interface PasswordLinkState {
  /** Whether the link still works. */
  valid: boolean;
  /**
   * The shop to which the link invites a person who has an account: POST /console/api/invitations/accept with
   * the `token`, in a session of the person. Null for a link that sets a password.
   */
  joins: string | null;
}

/** POST /console/api/invitations/accept. */
export interface JoinedShop {
  /**
   * False if an owner saw the link with which the person set the password. POST
   * /console/api/auth/reset-password with the `token` in the same session joins the shop, and ends all
   * sessions.
   */
  joined: boolean;
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
  fields: KeySummary['fields'];
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

export type { AuditEntry } from '../audit/audit-entry.ts';
/** GET /console/api/webhooks/ID/deliveries?before=NEXT&limit=25&only_failed=true returns a `DeliveryList`. */
export interface DeliveryList {
  deliveries: Delivery[];
  /** The next page's `before`; null on the last page. */
  next: string | null;
}

export type { Delivery, LastAttempt } from '../webhooks/list-deliveries.ts';

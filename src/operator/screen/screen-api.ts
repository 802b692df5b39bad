import type { SingleSignOnOption } from '../../console/console-api.ts';
import type { OperatorSummary } from '../../operators/list-operators.ts';
import type { MarketplaceSettings } from '../../operators/marketplace.ts';
import type { OperatorRole } from '../../operators/role.ts';
import type { SetUpState } from '../../operators/set-up.ts';

// What the pages of the operator's screen need: JSON under `/operator/api`, authenticated by the cookie of
// the screen's own sessions. Sign-in, passwords and two-factor authentication are better-auth's, under
// `/operator/api/auth`. Errors, sessions and the audit log have the console's types.

/** GET /operator/api/session */
export interface ScreenSession {
  /** Whether the operator must set up two-factor authentication first; other calls then return 403. */
  two_factor_missing: boolean;
  /** Whether an identity provider signed the operator in. Passwords and second factors are then its own. */
  by_provider: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean; role: OperatorRole };
  /** With the name that pages and mails show. */
  marketplace: MarketplaceSettings;
  /** The setting `BRAND_NAME`, which is shown instead of the marketplace’s name; null without it. */
  brand_name: string | null;
  /** The base URL of v1, for `curl` commands. */
  api_url: string;
  /** The service's self-signed certificate as PEM; null if it serves another or none. */
  certificate: string | null;
}

/**
 * GET /operator/api/operators: all operators by email. POST invites one, with `email`, `name` and `role`,
 * and returns an `OperatorLink`. POST /operator/api/operators/ID changes the `role`; DELETE removes the
 * operator and ends their sessions. POST /operator/api/operators/ID/reset ends the sessions, removes the
 * password and two-factor authentication, and returns an `OperatorLink`. All changes are for admins.
 */
export interface OperatorList {
  /** `who` is the operator in the audit log. */
  operators: (OperatorSummary & { current: boolean; who: string })[];
}

export interface OperatorLink {
  set_password_url: string;
  expires_at: string;
}

/**
 * POST /operator/api/support-views, with the `external_id` of a merchant: for admins and support. The URL
 * opens the merchant's console to read, once, within a minute.
 */
export interface NewSupportView {
  url: string;
}

/** GET /operator/api/options needs no session. */
export interface ScreenOptions {
  /** How the first operator is created; `done` if there is one. */
  set_up: SetUpState;
  /** As in the console, below /operator/api. */
  single_sign_on: SingleSignOnOption | null;
}

/**
 * POST /operator/api/set-up/check with `token`. POST /operator/api/set-up has `token`, `name`, `email`,
 * `password`, `marketplace_name`, `time_zone` and `currency`, and signs in the first operator.
 */
export interface SetUpLinkState {
  valid: boolean;
}

import type { DomainError } from '../../errors/domain-error.ts';
import type { errors } from '../../errors/errors.ts';
import type { requestErrors } from './request-errors.ts';

/** The statuses of v1 and the operator API (specification, part 7), as in docs/reference/errors.md. */
export const apiStatuses = {
  https_required: 400,
  malformed_request: 400,
  url_too_long: 414,
  headers_too_large: 431,
  request_timeout: 408,
  address_limited: 429,
  overloaded: 503,
  not_found: 404,
  method_not_allowed: 405,
  unreadable_body: 400,
  too_many_parameters: 400,
  token_missing: 401,
  token_missing_before_file: 401,
  token_missing_before_post_data: 401,
  operator_token_missing: 401,
  token_refused: 401,
  authentication_limited: 429,
  budget_exceeded: 429,
  rate_limited: 429,
  scope_missing: 403,
  test_key_required: 403,
  unrecognized_parameters: 400,
  unrecognized_parameters_without_file: 400,
  invalid_parameters: 400,
  idempotency_key_reused: 400,
  idempotency_key_in_progress: 409,
  merchant_not_found: 404,
  merchant_suspended: 409,
  too_many_streams: 503,
  key_not_found: 404,
  user_not_found: 404,
  webhook_not_found: 404,
  event_not_found: 404,
  only_owner: 409,
  webhook_disabled: 409,
  replay_in_progress: 409,
  too_many_webhooks: 409,
  product_not_found: 404,
  campaign_not_found: 404,
  reset_superseded: 409,
  cursor_expired: 410,
  events_expired: 410,
  precondition_failed: 412,
  import_not_found: 404,
  import_in_progress: 409,
  file_too_large: 413,
  variation_not_found: 404,
  unavailable: 503,
  internal: 500,
} as const;

/** The name of an error of v1 or the operator API. */
export type ErrorName = keyof typeof apiStatuses;

/** The statuses of errors of the console, and of a simulated lost connection. */
const otherStatuses = {
  invalid_fields: 400,
  name_taken: 400,
  key_not_rotatable: 409,
  token_taken: 409,
  connection_lost: 502,
  session_required: 401,
  account_suspended: 403,
  two_factor_required: 403,
  role_required: 403,
  other_origin: 403,
  wrong_content_type: 403,
  unreadable_json: 400,
  wrong_sign_in: 401,
  sign_in_expired: 401,
  account_locked: 429,
  too_many_attempts: 429,
  sign_in_busy: 503,
  no_mail: 403,
  no_registration_mail: 403,
  registration_closed: 403,
  invalid: 400,
  missing: 404,
  conflict: 409,
  not_built: 503,
} as const;

const statuses: Readonly<Record<string, number>> = {
  ...apiStatuses,
  ...otherStatuses,
} satisfies Record<keyof typeof errors | keyof typeof requestErrors, number>;

/** The code of an error of the console that the APIs do not have. */
export type ConsoleErrorCode = Exclude<keyof typeof otherStatuses, keyof typeof errors | 'connection_lost'>;

/** Returns the status that an error is sent with. */
export function statusOf({
  code,
  retryAfterSeconds,
}: Pick<DomainError, 'code' | 'retryAfterSeconds'>): number {
  // A budget that does not renew: the merchant has to free something first.
  if (code === 'budget_exceeded' && retryAfterSeconds === null) return 409;
  return statuses[code] ?? 500;
}

/** Whether the documentation of the APIs describes the error with this code. */
export function isErrorName(code: string): code is ErrorName {
  return Object.hasOwn(apiStatuses, code);
}

import { budgetExceeded } from '../../budgets/budgets.ts';
import type { DomainError, ErrorDocumentation } from '../../errors/domain-error.ts';
import { errorDefinitions } from '../../errors/errors.ts';
import { requestErrorDefinitions } from './request-errors.ts';

/** The errors of requests, in the order of the checks, and then the errors of the features. */
const definitions = { ...requestErrorDefinitions, budget_exceeded: budgetExceeded, ...errorDefinitions };

type Definitions = typeof definitions;

/** The name of an error of v1 or the operator API. */
export type ErrorName = {
  [Code in keyof Definitions]: Definitions[Code] extends { cause: string } ? Code : never;
}[keyof Definitions];

/** An error that the APIs send (specification, part 7), as in docs/reference/errors.md. */
export interface ApiError {
  statuses: readonly number[];
  cause: string;
  /** Blank if the message says it. */
  remedy: string;
}

export const apiErrors: ReadonlyMap<string, ApiError> = new Map(
  Object.entries<ErrorDocumentation>(definitions).flatMap(
    ([code, { status, otherStatuses = [], cause, remedy = '' }]): [string, ApiError][] =>
      cause === undefined ? [] : [[code, { statuses: [status, ...otherStatuses], cause, remedy }]],
  ),
);

/** The statuses of errors of the console, and of a simulated lost connection. */
const otherStatuses = {
  connection_lost: 502,
  session_required: 401,
  two_factor_required: 403,
  role_required: 403,
  support_view_ended: 401,
  support_view_is_read_only: 403,
  other_origin: 403,
  wrong_content_type: 403,
  unreadable_json: 400,
  wrong_sign_in: 401,
  wrong_passkey: 401,
  passwords_off: 403,
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
  other_shop: 409,
  no_test_data: 409,
  only_in_live_data: 409,
  not_built: 503,
} as const;

/** The code of an error of the console that the APIs do not have. */
export type ConsoleErrorCode = Exclude<keyof typeof otherStatuses, 'connection_lost'>;

const statuses: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(definitions).map(([code, { status }]) => [code, status])),
  ...otherStatuses,
};

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
  return apiErrors.has(code);
}

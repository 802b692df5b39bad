import type { BudgetExceeded } from '../../budgets/budgets.ts';
import {
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_PROBLEMS,
  MAX_UNRECOGNIZED_NAMES,
  MAX_URL_LENGTH,
} from '../request-limits.ts';
import { suggestParameters } from './suggest-parameters.ts';

/** An error response. `message` is for the client and never contains anything internal. */
export class HttpError extends Error {
  override name = 'HttpError';
  /** Its name in `errors`; undefined if it is not one of them. */
  code: string | undefined;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** What is wrong with each parameter; empty for other errors. Forms show it next to their fields. */
  readonly problems: readonly ParameterProblem[];

  constructor(
    status: number,
    message: string,
    headers: Record<string, string> = {},
    problems: readonly ParameterProblem[] = [],
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.problems = problems;
  }
}

/** A parameter that is invalid, and what was expected. */
export interface ParameterProblem {
  name: string;
  reason: string;
}

/**
 * Every error of the API (specification, part 7; contract, “Order of refusal”). docs/reference/errors.md lists each by
 * its name in this object; a test compares the two.
 */
export const errors = named({
  https_required: () =>
    new HttpError(
      400,
      'Use HTTPS: this service accepts only HTTPS requests. Send the request to an https:// URL.',
    ),
  not_found: (path: string, suggestion = '') =>
    new HttpError(404, `There is nothing at ${path}.${suggestion}`),
  method_not_allowed: (method: string, path: string, allowed: readonly string[]) => {
    // Only browsers send OPTIONS, by themselves.
    const useful = allowed.filter((one) => one !== 'OPTIONS').join(' or ');
    const headers = { allow: allowed.join(', ') };
    return new HttpError(405, `${method} is not allowed on ${path}; use ${useful}.`, headers);
  },
  malformed_request: () => new HttpError(400, 'The request is not well-formed HTTP.'),
  url_too_long: () =>
    new HttpError(
      414,
      `The URL is longer than ${MAX_URL_LENGTH.toLocaleString('en')} characters; send parameters as post data.`,
    ),
  headers_too_large: () =>
    new HttpError(
      431,
      `The request headers are too large: the limits are ${MAX_HEADER_BYTES.toLocaleString('en')} bytes, including the URL, and ${MAX_HEADERS} headers.`,
    ),
  request_timeout: () => new HttpError(408, 'The request did not arrive in time; send it again.'),
  unreadable_body: (reason: string) => new HttpError(400, `The post data cannot be read: ${reason}.`),
  too_many_parameters: (maximum: number) =>
    new HttpError(400, `The request has more than ${maximum.toLocaleString('en')} parameters.`),
  token_missing: () =>
    new HttpError(
      401,
      'An access_token is required: as a query parameter, in the post data, or as “Authorization: Bearer TOKEN”.',
    ),
  token_missing_before_file: () =>
    new HttpError(
      401,
      'An access_token is required before the file: as a query parameter, as “Authorization: Bearer TOKEN”, or in a ' +
        'field of a multipart body before its field file.',
    ),
  token_missing_before_post_data: () =>
    new HttpError(
      401,
      `Post data larger than ${MAX_BODY_BYTES / 1024} KiB needs an access_token before it: as a query parameter or as ` +
        '“Authorization: Bearer TOKEN”.',
    ),
  operator_token_missing: () =>
    new HttpError(401, 'The token of an operator key is required, as “Authorization: Bearer TOKEN”.'),
  token_refused: (reason = 'it is unknown, or it has been revoked or has expired') =>
    new HttpError(401, `The access_token is not valid: ${reason}.`),
  scope_missing: (scope: string) =>
    new HttpError(
      403,
      `The key of this access_token does not have the scope ${scope}: create a key that has it.`,
    ),
  test_key_required: () =>
    new HttpError(
      403,
      'This call requires a test key, whose access_token starts with tpt_: it changes only test data.',
    ),
  unrecognized_parameters: (names: string[], known: readonly string[] = []) =>
    new HttpError(400, `${describeUnrecognized(names)}${suggestParameters(names, known)}`),
  unrecognized_parameters_without_file: (names: string[], known: readonly string[] = []) =>
    new HttpError(
      400,
      `${describeUnrecognized(names)}${suggestParameters(names, known)} A file has to be the field file of a multipart body, or a whole body of a type ` +
        'such as text/csv or application/octet-stream.',
    ),
  invalid_parameters: (problems: ParameterProblem[]) =>
    new HttpError(400, describeProblems(problems), {}, problems),
  variation_not_found: (identifier: string, hint = '') =>
    new HttpError(404, `There is no variation with the unique ID ${identifier}.${hint}`),
  campaign_not_found: (value: string, field: 'unique ID' | 'name' = 'unique ID') =>
    new HttpError(404, `There is no campaign with the ${field} ${value}.`),
  merchant_not_found: (externalId: string) =>
    new HttpError(404, `There is no merchant with the external ID ${externalId}.`),
  merchant_suspended: () =>
    new HttpError(
      409,
      'The merchant is suspended. Set its state to active before you import anything for it.',
    ),
  too_many_streams: () =>
    new HttpError(503, 'Too many streams in progress. Try again when one has finished.', {
      'retry-after': '5',
    }),
  key_not_found: (id: string) => new HttpError(404, `The merchant has no key ${id}.`),
  user_not_found: (email: string) => new HttpError(404, `The merchant has no user with the email ${email}.`),
  only_owner: (message: string) => new HttpError(409, message),
  webhook_not_found: (id: string) => new HttpError(404, `There is no webhook ${id}.`),
  event_not_found: (id: string) => new HttpError(404, `There is no event ${id} that this webhook receives.`),
  webhook_disabled: (id: string) => new HttpError(409, `The webhook ${id} is disabled. Enable it first.`),
  replay_in_progress: (id: string) =>
    new HttpError(
      409,
      `Earlier events are still being sent again to the webhook ${id}. Try again when they have been sent.`,
    ),
  too_many_webhooks: () => new HttpError(409, 'You have reached the limit of 20 webhooks. Delete one first.'),
  product_not_found: (name: string) => new HttpError(404, `There is no product with the unique ID ${name}.`),
  import_not_found: (id: string) =>
    new HttpError(404, `There is no import with the ID ${id}. Imports are kept for a day.`),
  file_too_large: (megabytes: number) =>
    new HttpError(413, `The file is larger than the limit of ${megabytes} MB.`),
  import_in_progress: () =>
    new HttpError(
      409,
      'Another file is being uploaded, checked or imported; try again when it has finished.',
      {
        'retry-after': '5',
      },
    ),
  precondition_failed: () =>
    new HttpError(
      412,
      'If-Match: the record has changed since it was read; retrieve it again, and apply the change to that.',
    ),
  reset_superseded: () =>
    new HttpError(
      409,
      'Another reset of the test side started later, so this one stopped; try again shortly.',
      {
        'retry-after': '1',
      },
    ),
  cursor_expired: () =>
    new HttpError(
      410,
      'changed_since: this cursor is from before the database was restored from a backup or the test side was reset; start again with “start”.',
    ),
  events_expired: () =>
    new HttpError(
      410,
      'after: events after this cursor are no longer kept, or the database was restored from a backup; take a new cursor with after=now, read all data again with changed_since=start, then continue with the new cursor.',
    ),
  idempotency_key_reused: () =>
    new HttpError(
      400,
      'Idempotency-Key: this key was used in the last 24 hours for a different request; use a new one.',
    ),
  idempotency_key_in_progress: () =>
    new HttpError(409, 'Idempotency-Key: a request with this key is still in progress; try again shortly.', {
      'retry-after': '1',
    }),
  rate_limited: (seconds: number) =>
    new HttpError(429, `Too many requests with this key; try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    }),
  address_limited: (seconds: number) =>
    new HttpError(429, `Too many requests from this address; try again in ${seconds} s.`, {
      'retry-after': String(seconds),
    }),
  budget_exceeded: ({ message, retryAfterSeconds }: BudgetExceeded) =>
    retryAfterSeconds === null
      ? new HttpError(409, message)
      : new HttpError(429, message, { 'retry-after': String(retryAfterSeconds) }),
  authentication_limited: (seconds: number) =>
    new HttpError(
      429,
      `Too many requests from this address had an access_token that is not valid; try again in ${seconds} s.`,
      { 'retry-after': String(seconds) },
    ),
  overloaded: () =>
    new HttpError(503, 'The service is overloaded; try again shortly.', {
      'retry-after': '2',
    }),
  unavailable: () =>
    new HttpError(503, 'The service is temporarily unavailable; try again shortly.', {
      'retry-after': '2',
    }),
  internal: (requestId: string) =>
    new HttpError(500, `An unknown error occurred. If it persists, report the request id ${requestId}.`),
});

/** The name of an error of the API. */
export type ErrorName = keyof typeof errors;

/** Long enough for the field of a variation, with its SKU. */
const MAX_NAME_LENGTH = 300;

function describeUnrecognized(names: readonly string[]): string {
  return `The following parameters were provided but are not recognized: ${describeNames(names)}.`;
}

function describeNames(names: readonly string[]): string {
  const described = names
    .slice(0, MAX_UNRECOGNIZED_NAMES)
    .map((name) => beginning(name) || '(an empty name)');
  return described.join(', ') + (names.length > described.length ? ' and more' : '');
}

/** Shortens a name, which is a whole file if that is sent as post data. */
function beginning(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH).toWellFormed()}…` : name;
}

function describeProblems(problems: readonly ParameterProblem[]): string {
  const sentences = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ name, reason }) => `${beginning(name)}: ${reason}.`);
  return [...sentences, ...(problems.length > sentences.length ? ['There are more.'] : [])].join(' ');
}

/** Returns functions that create the same errors, each with its name. */
function named<Creators extends Record<string, (...values: never[]) => HttpError>>(
  creators: Creators,
): Creators {
  const withNames = Object.entries(creators).map(([code, create]) => [
    code,
    (...values: never[]) => Object.assign(create(...values), { code }),
  ]);
  return Object.fromEntries(withNames) as Creators;
}

/** Created once, because creating an error with its stack costs more than the rest of a refusal. */
export const OVERLOADED = errors.overloaded();

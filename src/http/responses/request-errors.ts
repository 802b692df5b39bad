import { beginning, MAX_PROBLEMS } from '../../errors/describe-problems.ts';
import { createErrors, type ErrorDefinition } from '../../errors/domain-error.ts';
import {
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_HELD_FILE_BYTES,
  MAX_UNRECOGNIZED_NAMES,
  MAX_URL_LENGTH,
} from '../request-limits.ts';
import { suggestParameters } from './suggest-parameters.ts';

/** The errors that any request can have (specification, part 7; contract, “Order of refusal”). */
export const requestErrorDefinitions = {
  https_required: {
    status: 400,
    cause:
      'the request was sent over plain HTTP, possibly to the HTTPS port; its token was not checked, but was sent in the clear',
    remedy: 'use `https://`, and replace the token',
    message: () =>
      'Use HTTPS: this service accepts only HTTPS requests. Send the request to an https:// URL.',
  },
  malformed_request: {
    status: 400,
    cause: 'the request is not valid HTTP',
    message: () => 'The request is not well-formed HTTP.',
  },
  url_too_long: {
    status: 414,
    cause: 'the URL is longer than 14,000 characters',
    remedy: 'send parameters as post data',
    message: () =>
      `The URL is longer than ${MAX_URL_LENGTH.toLocaleString('en')} characters; send parameters as post data.`,
  },
  headers_too_large: {
    status: 431,
    cause: 'the headers and the URL together exceed 16,000 bytes, or there are more than 100 headers',
    message: () =>
      `The request headers are too large: the limits are ${MAX_HEADER_BYTES.toLocaleString('en')} bytes, including the URL, and ${MAX_HEADERS} headers.`,
  },
  address_limited: {
    status: 429,
    cause: 'the address made more requests in this minute than `ADDRESS_RATE_LIMIT`',
    remedy: 'wait as long as `Retry-After` says',
    message: (seconds: number) => ({
      message: `Too many requests from this address; try again in ${seconds} s.`,
      retryAfterSeconds: seconds,
    }),
  },
  overloaded: {
    status: 503,
    cause: 'there are more requests than the service can handle in time',
    remedy: 'wait as long as `Retry-After` says',
    message: () => ({ message: 'The service is overloaded; try again shortly.', retryAfterSeconds: 2 }),
  },
  not_found: {
    status: 404,
    cause: 'there is nothing at this path; a path with a `.` or `..` segment or a `#` always returns 404',
    remedy:
      'use the path that the message suggests, if it suggests one; check the base path; use no trailing slash',
    message: (path: string, suggestion = '') => `There is nothing at ${path}.${suggestion}`,
  },
  /** The response also needs the header `Allow`. */
  method_not_allowed: {
    status: 405,
    cause: 'the path supports other methods, which `Allow` lists',
    message: (method: string, path: string, allowed: readonly string[]) => {
      // Only browsers send OPTIONS, by themselves.
      const useful = allowed.filter((one) => one !== 'OPTIONS');
      const last = useful.pop();
      const names = useful.length === 0 ? last : `${useful.join(', ')} or ${last}`;
      return `${method} is not allowed on ${path}; use ${names}.`;
    },
  },
  unreadable_body: {
    status: 400,
    cause:
      'the post data is malformed, not UTF-8, compressed, larger than 64 KiB (1 MiB for calls that write products or change campaigns; the fields for imports), or of another content type; a batch is not a list, or has more than 1,000 lines; it contains a file where none is expected; or its JSON is nested more than 100 levels deep. A proxy configured as in `deploy/` rejects a body over 64 KiB (1 MiB for these calls and the console) with the same message, before any other check',
    message: (reason: string) => `The post data cannot be read: ${reason}.`,
  },
  too_many_parameters: {
    status: 400,
    cause: 'there are more than 1,000 parameters, or 50,000 in calls that write products or change campaigns',
    message: (maximum: number) => `The request has more than ${maximum.toLocaleString('en')} parameters.`,
  },
  token_missing: {
    status: 401,
    cause: 'there is no `access_token`, or it is blank',
    message: () =>
      'An access_token is required: as a query parameter, in the post data, or as “Authorization: Bearer TOKEN”.',
  },
  token_after_large_file: {
    status: 400,
    cause: 'a file of more than 1 MiB is before its `access_token` in a multipart body',
    remedy: 'send the token in the query, in the `Authorization` header, or in a field before the file',
    message: () =>
      `The field file is larger than ${MAX_HELD_FILE_BYTES / 1024} KiB and comes before the access_token: send the token in a ` +
      'field before the file, as a query parameter, or as “Authorization: Bearer TOKEN”.',
  },
  token_missing_before_post_data: {
    status: 401,
    cause: 'post data is larger than 64 KiB, and there is no `access_token` in the query or header',
    remedy: 'send the token in the query or in the `Authorization` header',
    message: () =>
      `Post data larger than ${MAX_BODY_BYTES / 1024} KiB needs an access_token before it: as a query parameter or as ` +
      '“Authorization: Bearer TOKEN”.',
  },
  operator_token_missing: {
    status: 401,
    cause: 'a request to the [operator API](operator-api.md) has no token in its `Authorization` header',
    message: () => 'The token of an operator key is required, as “Authorization: Bearer TOKEN”.',
  },
  token_refused: {
    status: 401,
    cause:
      'the token is unknown, revoked or expired, its merchant is suspended, or it is for the other of the two APIs; the response says only the last, which the beginning of the token shows',
    remedy: 'create a new key, or send the token to its own API',
    message: (reason = 'it is unknown, or it has been revoked or has expired') =>
      `The access_token is not valid: ${reason}.`,
  },
  authentication_limited: {
    status: 429,
    cause:
      'this address sent more rejected tokens in this minute than `AUTH_FAILURE_LIMIT`; valid tokens are still accepted, at 50 new ones per second',
    remedy: 'with a valid token: try again after `Retry-After` (1 second); otherwise correct the token',
    message: (seconds: number) => ({
      message: `Too many requests from this address had an access_token that is not valid; try again in ${seconds} s.`,
      retryAfterSeconds: seconds,
    }),
  },
  rate_limited: {
    status: 429,
    cause:
      'the key made more requests in this minute than `RATE_LIMIT`, or than the operator allows the merchant',
    remedy: 'wait as long as `Retry-After` says',
    message: (seconds: number) => ({
      message: `Too many requests with this key; try again in ${seconds} s.`,
      retryAfterSeconds: seconds,
    }),
  },
  scope_missing: {
    status: 403,
    otherStatuses: [401],
    cause: 'the key does not have the scope that the call requires',
    remedy: 'use a key that has it; the console and `tradepost keys create --scope` create one',
    message: (scope: string, wider?: string) =>
      `The key of this access_token does not have the scope ${wider === undefined ? '' : `${wider} or `}${scope}: create a key that has it.`,
  },
  unrecognized_parameters: {
    status: 400,
    cause:
      'the endpoint does not know some parameters, even if they are blank; the message lists all of them',
    remedy: 'use the names that the message suggests',
    message: (names: readonly string[], known: readonly string[] = []) => ({
      message: `${describeUnrecognized(names)}${suggestParameters(names, known)}`,
      problems: names.slice(0, MAX_PROBLEMS).map((field) => ({ field, reason: 'not recognized' })),
    }),
  },
  unrecognized_parameters_without_file: {
    status: 400,
    cause:
      'the same for a call that receives a file, if the request has none: its body may be a file that was sent as a form',
    remedy: 'send the file with a type such as `text/csv`, or as the field `file` of a multipart body',
    message: (names: readonly string[], known: readonly string[] = []) =>
      `${describeUnrecognized(names)}${suggestParameters(names, known)} A file has to be the field file of a multipart body, or a whole body of a type ` +
      'such as text/csv or application/octet-stream.',
  },
  unavailable: {
    status: 503,
    cause: 'the database is locked, full or unreachable',
    remedy: 'wait as long as `Retry-After` says',
    message: () => ({
      message: 'The service is temporarily unavailable; try again shortly.',
      retryAfterSeconds: 2,
    }),
  },
  encrypted_data_unavailable: {
    status: 503,
    cause:
      'the service cannot decrypt or encrypt customers’ data or webhooks’ secrets, because its key file lacks a key; the ' +
      'log says which one',
    remedy:
      'wait as long as `Retry-After` says; the operator of the service copies the key file from another node or from a ' +
      'copy, and the service then uses it without a restart',
    message: () => ({
      message:
        'Encrypted data, such as names and addresses of customers, is unavailable because its key is missing on the ' +
        'server. No data is lost. The operator of the service has to restore the key; try again later.',
      retryAfterSeconds: 30,
    }),
  },
  internal: {
    status: 500,
    cause: 'a defect of the service; the message contains only the request ID',
    remedy: 'report the request ID',
    message: (requestId: string) =>
      `An unknown error occurred. If it persists, report the request id ${requestId}.`,
  },
} satisfies Record<string, ErrorDefinition>;

export const requestErrors = createErrors(requestErrorDefinitions);

function describeUnrecognized(names: readonly string[]): string {
  return `The following parameters were provided but are not recognized: ${describeNames(names)}.`;
}

function describeNames(names: readonly string[]): string {
  const described = names
    .slice(0, MAX_UNRECOGNIZED_NAMES)
    .map((name) => beginning(name) || '(an empty name)');
  return described.join(', ') + (names.length > described.length ? ' and more' : '');
}

/** Created once, because creating an error with its stack costs more than the rest of a refusal. */
export const OVERLOADED = requestErrors.overloaded();

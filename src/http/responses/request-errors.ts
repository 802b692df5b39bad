import { beginning } from '../../errors/describe-problems.ts';
import { defineErrors } from '../../errors/domain-error.ts';
import {
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  MAX_UNRECOGNIZED_NAMES,
  MAX_URL_LENGTH,
} from '../request-limits.ts';
import { suggestParameters } from './suggest-parameters.ts';

/** The errors that any request can have (specification, part 7; contract, “Order of refusal”). */
export const requestErrors = defineErrors({
  https_required: () =>
    'Use HTTPS: this service accepts only HTTPS requests. Send the request to an https:// URL.',
  not_found: (path: string, suggestion = '') => `There is nothing at ${path}.${suggestion}`,
  /** The response also needs the header `Allow`. */
  method_not_allowed: (method: string, path: string, allowed: readonly string[]) => {
    // Only browsers send OPTIONS, by themselves.
    const useful = allowed.filter((one) => one !== 'OPTIONS').join(' or ');
    return `${method} is not allowed on ${path}; use ${useful}.`;
  },
  malformed_request: () => 'The request is not well-formed HTTP.',
  url_too_long: () =>
    `The URL is longer than ${MAX_URL_LENGTH.toLocaleString('en')} characters; send parameters as post data.`,
  headers_too_large: () =>
    `The request headers are too large: the limits are ${MAX_HEADER_BYTES.toLocaleString('en')} bytes, including the URL, and ${MAX_HEADERS} headers.`,
  unreadable_body: (reason: string) => `The post data cannot be read: ${reason}.`,
  too_many_parameters: (maximum: number) =>
    `The request has more than ${maximum.toLocaleString('en')} parameters.`,
  token_missing: () =>
    'An access_token is required: as a query parameter, in the post data, or as “Authorization: Bearer TOKEN”.',
  token_missing_before_file: () =>
    'An access_token is required before the file: as a query parameter, as “Authorization: Bearer TOKEN”, or in a ' +
    'field of a multipart body before its field file.',
  token_missing_before_post_data: () =>
    `Post data larger than ${MAX_BODY_BYTES / 1024} KiB needs an access_token before it: as a query parameter or as ` +
    '“Authorization: Bearer TOKEN”.',
  operator_token_missing: () => 'The token of an operator key is required, as “Authorization: Bearer TOKEN”.',
  token_refused: (reason = 'it is unknown, or it has been revoked or has expired') =>
    `The access_token is not valid: ${reason}.`,
  scope_missing: (scope: string) =>
    `The key of this access_token does not have the scope ${scope}: create a key that has it.`,
  unrecognized_parameters: (names: readonly string[], known: readonly string[] = []) =>
    `${describeUnrecognized(names)}${suggestParameters(names, known)}`,
  unrecognized_parameters_without_file: (names: readonly string[], known: readonly string[] = []) =>
    `${describeUnrecognized(names)}${suggestParameters(names, known)} A file has to be the field file of a multipart body, or a whole body of a type ` +
    'such as text/csv or application/octet-stream.',
  rate_limited: (seconds: number) => ({
    message: `Too many requests with this key; try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  }),
  address_limited: (seconds: number) => ({
    message: `Too many requests from this address; try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  }),
  authentication_limited: (seconds: number) => ({
    message: `Too many requests from this address had an access_token that is not valid; try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  }),
  overloaded: () => ({
    message: 'The service is overloaded; try again shortly.',
    retryAfterSeconds: 2,
  }),
  unavailable: () => ({
    message: 'The service is temporarily unavailable; try again shortly.',
    retryAfterSeconds: 2,
  }),
  internal: (requestId: string) =>
    `An unknown error occurred. If it persists, report the request id ${requestId}.`,
});

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

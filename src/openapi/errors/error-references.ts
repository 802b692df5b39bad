import type { ErrorName } from '../../http/responses/statuses.ts';

/** Texts are in Markdown, as in docs/reference/errors.md. */
export interface ErrorReference {
  statuses: readonly number[];
  cause: string;
  /** Blank if the message says it. */
  remedy: string;
}

/** Every error, in the order of the checks. A test compares this with docs/reference/errors.md. */
export const errorReferences: Readonly<Record<ErrorName, ErrorReference>> = {
  https_required: {
    statuses: [400],
    cause:
      'the request was sent over plain HTTP, possibly to the HTTPS port; its token was not checked, but was sent in the clear',
    remedy: 'use `https://`, and replace the token',
  },
  malformed_request: { statuses: [400], cause: 'the request is not valid HTTP', remedy: '' },
  url_too_long: {
    statuses: [414],
    cause: 'the URL is longer than 14,000 characters',
    remedy: 'send parameters as post data',
  },
  headers_too_large: {
    statuses: [431],
    cause: 'the headers and the URL together exceed 16,000 bytes, or there are more than 100 headers',
    remedy: '',
  },
  request_timeout: {
    statuses: [408],
    cause: 'the request did not arrive within 30 seconds, or its headers within 15',
    remedy: 'send it again',
  },
  address_limited: {
    statuses: [429],
    cause: 'the address made more requests in this minute than `ADDRESS_RATE_LIMIT`',
    remedy: 'wait as long as `Retry-After` says',
  },
  overloaded: {
    statuses: [503],
    cause: 'there are more requests than the service can handle in time',
    remedy: 'wait as long as `Retry-After` says',
  },
  not_found: {
    statuses: [404],
    cause: 'there is nothing at this path; a path with a `.` or `..` segment or a `#` always returns 404',
    remedy:
      'use the path that the message suggests, if it suggests one; check the base path; use no trailing slash',
  },
  method_not_allowed: {
    statuses: [405],
    cause: 'the path supports other methods, which `Allow` lists',
    remedy: '',
  },
  unreadable_body: {
    statuses: [400],
    cause:
      'the post data is malformed, not UTF-8, compressed, larger than 64 KiB (1 MiB for calls that write products or change campaigns; the fields before the file for imports), or of another content type; a batch is not a list, or has more than 1,000 lines; it contains a file where none is expected; or its JSON is nested more than 100 levels deep. A proxy configured as in `deploy/` rejects a body over 64 KiB (1 MiB for these calls and the console) with the same message, before any other check',
    remedy: '',
  },
  too_many_parameters: {
    statuses: [400],
    cause: 'there are more than 1,000 parameters, or 50,000 in calls that write products or change campaigns',
    remedy: '',
  },
  token_missing: { statuses: [401], cause: 'there is no `access_token`, or it is blank', remedy: '' },
  token_missing_before_file: {
    statuses: [401],
    cause: 'a request with a file has no `access_token` before the file',
    remedy: 'send the token in the query, in the `Authorization` header, or in a field before the file',
  },
  token_missing_before_post_data: {
    statuses: [401],
    cause: 'post data is larger than 64 KiB, and there is no `access_token` in the query or header',
    remedy: 'send the token in the query or in the `Authorization` header',
  },
  operator_token_missing: {
    statuses: [401],
    cause: 'a request to the [operator API](operator-api.md) has no token in its `Authorization` header',
    remedy: '',
  },
  token_refused: {
    statuses: [401],
    cause:
      'the token is unknown, revoked or expired, its merchant is suspended, or it is for the other of the two APIs; the response says only the last, which the beginning of the token shows',
    remedy: 'create a new key, or send the token to its own API',
  },
  authentication_limited: {
    statuses: [429],
    cause:
      'this address sent more rejected tokens in this minute than `AUTH_FAILURE_LIMIT`; valid tokens are still accepted, at 50 new ones per second',
    remedy: 'with a valid token: try again after `Retry-After` (1 second); otherwise correct the token',
  },
  budget_exceeded: {
    statuses: [429, 409, 400],
    cause:
      'the merchant has used up a [budget](settings.md#budgets), which the message names: 429 if it renews automatically, 409 or 400 if it does not',
    remedy:
      '429: wait as long as `Retry-After` says; otherwise: free something, such as a key, or ask the marketplace operator for more',
  },
  rate_limited: {
    statuses: [429],
    cause: 'the key made more requests in this minute than `RATE_LIMIT`',
    remedy: 'wait as long as `Retry-After` says',
  },
  scope_missing: {
    statuses: [403, 401],
    cause: 'the key does not have the scope that the call requires',
    remedy: 'use a key that has it; the console and `tradepost keys create --scope` create one',
  },
  test_key_required: {
    statuses: [403, 401],
    cause: 'the call changes only test data, and the key is live',
    remedy:
      'use a test key, whose token starts with `tpt_`; the console and `tradepost keys create --test` create one',
  },
  unrecognized_parameters: {
    statuses: [400],
    cause:
      'the endpoint does not know some parameters, even if they are blank; the message lists all of them',
    remedy: 'use the names that the message suggests',
  },
  unrecognized_parameters_without_file: {
    statuses: [400],
    cause:
      'the same for a call that receives a file, if the request has none: its body may be a file that was sent as a form',
    remedy: 'send the file with a type such as `text/csv`, or as the field `file` of a multipart body',
  },
  invalid_parameters: {
    statuses: [400],
    cause:
      'parameters are missing or wrongly formatted; the message lists all of them, with what was expected',
    remedy: '',
  },
  idempotency_key_reused: {
    statuses: [400],
    cause: 'the `Idempotency-Key` was used in the last 24 hours for another method, path, parameters or file',
    remedy: 'use a new key for each request',
  },
  idempotency_key_in_progress: {
    statuses: [409, 400],
    cause: 'the first request with this key is still in progress',
    remedy: 'send the same request again a little later',
  },
  merchant_not_found: { statuses: [404], cause: 'no merchant has this external ID', remedy: '' },
  merchant_suspended: {
    statuses: [409],
    cause: 'the operator streams products or schedules of a suspended merchant',
    remedy: 'set its `state` to `active` first',
  },
  too_many_streams: {
    statuses: [503],
    cause: 'the node is importing 4 streams',
    remedy: 'try again when one has ended',
  },
  key_not_found: { statuses: [404], cause: 'the merchant has no key with this ID', remedy: '' },
  user_not_found: {
    statuses: [404],
    cause: "the merchant's console has no user with this email",
    remedy: '',
  },
  webhook_not_found: { statuses: [404], cause: 'the operator has no webhook with this ID', remedy: '' },
  event_not_found: {
    statuses: [404],
    cause: 'there is no event with this ID, or the webhook does not receive such events',
    remedy: '',
  },
  only_owner: {
    statuses: [409],
    cause: 'the user is the only owner of a merchant whose console has other users',
    remedy: 'make another user an owner first',
  },
  webhook_disabled: {
    statuses: [409],
    cause: 'events cannot be sent again to a webhook that is disabled',
    remedy: '',
  },
  replay_in_progress: {
    statuses: [409],
    cause: 'events of an earlier replay to this webhook still wait for their attempts',
    remedy: 'try again when they have been sent, or replay a single event',
  },
  too_many_webhooks: { statuses: [409], cause: 'the operator has 20 webhooks already', remedy: '' },
  product_not_found: {
    statuses: [404],
    cause: 'the merchant has no product with this identifier or internal ID',
    remedy: '',
  },
  campaign_not_found: {
    statuses: [404],
    cause: 'the merchant has no campaign with this internal ID or name',
    remedy: '',
  },
  reset_superseded: {
    statuses: [409, 400],
    cause: 'another `test/reset` started later, so this one stopped',
    remedy: 'send it again a little later, if the result of the other one does not suffice',
  },
  cursor_expired: {
    statuses: [410],
    cause:
      'the cursor in `changed_since` is from before the database was restored from a backup, or the test side was reset',
    remedy: 'start again with `changed_since=start`',
  },
  events_expired: {
    statuses: [410],
    cause:
      'events after the cursor in `after` were deleted because of their age, or the database was restored from a backup',
    remedy:
      'take a new cursor with `after=now`, read all data again with `changed_since=start`, then continue with the new cursor',
  },
  precondition_failed: {
    statuses: [412],
    cause: 'the record has changed since the ETag in `If-Match` was read',
    remedy: 'retrieve the record again, and apply the change to it',
  },
  import_not_found: {
    statuses: [404],
    cause: 'the merchant has no import with this ID; imports are kept for a day',
    remedy: '',
  },
  import_in_progress: {
    statuses: [409, 400],
    cause: 'another file of the merchant is being received, checked or imported',
    remedy: 'send the file again when that one has finished',
  },
  file_too_large: {
    statuses: [413],
    cause: 'the file is larger than `MAX_UPLOAD`',
    remedy: 'compress it with gzip, or split it',
  },
  variation_not_found: {
    statuses: [404],
    cause: 'the merchant has no variation with this identifier',
    remedy: '',
  },
  unavailable: {
    statuses: [503],
    cause: 'the database is locked, full or unreachable',
    remedy: 'wait as long as `Retry-After` says',
  },
  internal: {
    statuses: [500],
    cause: 'a defect of the service; the message contains only the request ID',
    remedy: 'report the request ID',
  },
};

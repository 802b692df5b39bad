import type { ErrorName } from '../../src/http/responses/statuses.ts';

/** Errors that only the operator's requests get. */
type OperatorError =
  | 'operator_token_missing'
  | 'merchant_not_found'
  | 'merchant_suspended'
  | 'too_many_streams'
  | 'competition_incomplete'
  | 'key_not_found'
  | 'user_not_found'
  | 'package_not_found'
  | 'refund_not_found'
  | 'only_owner'
  | 'set_up_link_gone'
  | 'operator_not_found'
  | 'only_admin'
  | 'backup_unavailable'
  | 'backup_in_progress'
  | 'backup_failed';

const WAIT = 'Wait as long as the response’s Retry-After header says, then send the same request again.';

/** What to do about each error of the API. */
export const advice: Readonly<Record<Exclude<ErrorName, OperatorError>, string>> = {
  https_required: 'Change the URL to https://, and rotate the key: its token was sent unencrypted.',
  malformed_request: 'The client sent an invalid HTTP request. Update it or contact its vendor.',
  url_too_long: 'Send the parameters as post data instead of in the URL.',
  headers_too_large: 'Send fewer or smaller headers.',
  request_timeout: 'The connection was too slow or broke off. Send the request again.',
  address_limited: `Too many requests came from one address. ${WAIT}`,
  overloaded: WAIT,
  not_found: 'Check the path: the API reference lists all of them.',
  method_not_allowed: 'Use the method that the message names.',
  unreadable_body:
    'Check the Content-Type and the format of the post data: a form, or valid JSON in UTF-8, not compressed.',
  too_many_parameters: 'Send fewer parameters in one request, for example with products/batch.',
  token_missing: 'Send the key’s token as “Authorization: Bearer TOKEN”, or as the parameter access_token.',
  token_after_large_file: 'Send the token in the header or the URL, or in a field before the file.',
  token_missing_before_post_data: 'Send the token in the header or the URL.',
  token_refused: 'The key is no longer valid. Create or rotate a key, and give the software its new token.',
  authentication_limited:
    'The address sent too many wrong tokens. Give the software a valid token; it works again within a minute.',
  budget_exceeded:
    'A limit of your shop is used up; the message names it. Wait if it renews, or ask your marketplace operator for more.',
  rate_limited: `The key sent too many requests in a minute. ${WAIT} To need fewer requests, read only what changed with changed_since, and write many products with products/batch.`,
  scope_missing: 'This key doesn’t have permission. Create a key with the scope that the message names.',
  only_quantities:
    'This key can only change stock. Leave out the fields that the message names, or use a key that can change products.',
  test_key_required: 'This request only changes test data. Use a test key.',
  unrecognized_parameters: 'Remove the parameters that the message lists, or correct their names.',
  unrecognized_parameters_without_file:
    'Send the file as the field file of a multipart body, or as a body with a type such as text/csv.',
  invalid_parameters: 'Correct the parameters that the message lists. It says what was expected for each.',
  idempotency_key_reused:
    'Use a new Idempotency-Key for each new request, and the same one only to repeat a request.',
  idempotency_key_in_progress:
    'The first request with this key is still in progress. Try again a little later.',
  product_not_found: 'Create the product first, or check the spelling of its identifier.',
  variation_not_found: 'Create the variation first, or check the spelling of its identifier.',
  campaign_not_found: 'Check the campaign’s internal ID. GET campaigns lists all campaigns.',
  order_not_found: 'Check the order’s ID. GET orders lists all orders.',
  webhook_not_found: 'Check the webhook’s ID. GET webhooks lists all webhooks.',
  event_not_found:
    'Events are kept for 30 days. Check the ID, and that the webhook receives events of this type.',
  webhook_disabled: 'Enable the webhook first.',
  replay_in_progress: 'Wait until the events of the last replay have been sent, or send one event by its ID.',
  test_delivery_in_progress: 'Wait until the other test delivery has ended.',
  too_many_webhooks: 'Delete a webhook that you no longer need.',
  events_expired:
    'Take a new cursor with after=now, read all data again with changed_since=start, and continue with the new cursor.',
  reset_superseded:
    'Another reset of the test data started later. You don’t need to do anything, unless that result isn’t enough.',
  cursor_expired: 'The operator restored a backup. Start again with changed_since=start.',
  precondition_failed: 'Someone else changed the record. Retrieve it again, and apply the change to it.',
  import_not_found: 'Imports are kept for a day. Check the ID, or send the file again.',
  change_not_found: 'Use the ID of an import, or the `change_id` that the history of a product shows.',
  change_too_old: 'The former values are no longer stored. Import a file with the values that you want.',
  nothing_to_undo: 'Nothing needs to be done.',
  import_in_progress: 'Only one file is imported at a time. Send the file again when that one has finished.',
  file_too_large: 'Compress the file with gzip, or split it.',
  unavailable: `The service had a problem, not your software. ${WAIT}`,
  encrypted_data_unavailable:
    'The service cannot decrypt names and addresses at the moment. Tell your marketplace operator, and send the request again later.',
  internal: 'The service had a problem, not your software. Tell your marketplace operator the request ID.',
};

/** Returns what to do about a failed request. */
export function adviceFor({ error, status }: { error: string | null; status: number }): string {
  const known = error === null ? undefined : (advice as Readonly<Record<string, string>>)[error];
  if (known !== undefined) return known;
  if (status === 499) return 'The software gave up before the response arrived. Give it a longer time limit.';
  return status >= 500 ? advice.unavailable : advice.invalid_parameters;
}

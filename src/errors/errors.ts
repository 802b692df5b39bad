import { describeProblems } from './describe-problems.ts';
import { defineErrors, type Problem } from './domain-error.ts';

/**
 * The errors of the features. `src/http/responses/statuses.ts` has their statuses, docs/reference/errors.md
 * describes those that the APIs send.
 */
export const errors = defineErrors({
  /** Each reason continues the name of its field: “expected a number”. */
  invalid_parameters: (problems: readonly Problem[]) => ({ message: describeProblems(problems), problems }),
  /** Each reason is a sentence, which a form shows next to its field. The APIs send `invalid_parameters`. */
  invalid_fields: (problems: readonly Problem[]) => ({
    message: problems.map(({ reason }) => reason).join(' '),
    problems,
  }),
  /** Another merchant has or had the name, or a name that people may mistake for it. */
  name_taken: (reason: string) => ({ message: reason, problems: [{ field: 'name', reason }] }),
  test_key_required: () =>
    'This call requires a test key, whose access_token starts with tpt_: it changes only test data.',
  product_not_found: (identifier: string) => `There is no product with the unique ID ${identifier}.`,
  variation_not_found: (identifier: string, hint = '') =>
    `There is no variation with the unique ID ${identifier}.${hint}`,
  campaign_not_found: (value: string, field: 'unique ID' | 'name' = 'unique ID') =>
    `There is no campaign with the ${field} ${value}.`,
  precondition_failed: () =>
    'If-Match: the record has changed since it was read; retrieve it again, and apply the change to that.',
  cursor_expired: () =>
    'changed_since: this cursor is from before the database was restored from a backup or the test side was reset; start again with “start”.',
  events_expired: () =>
    'after: events after this cursor are no longer kept, or the database was restored from a backup; take a new cursor with after=now, read all data again with changed_since=start, then continue with the new cursor.',
  import_not_found: (id: string) => `There is no import with the ID ${id}. Imports are kept for a day.`,
  import_in_progress: () => ({
    message: 'Another file is being uploaded, checked or imported; try again when it has finished.',
    retryAfterSeconds: 5,
  }),
  file_too_large: (megabytes: number) => `The file is larger than the limit of ${megabytes} MB.`,
  reset_superseded: () => ({
    message: 'Another reset of the test side started later, so this one stopped; try again shortly.',
    retryAfterSeconds: 1,
  }),
  merchant_not_found: (externalId: string) => `There is no merchant with the external ID ${externalId}.`,
  merchant_suspended: () =>
    'The merchant is suspended. Set its state to active before you import anything for it.',
  /** Tells the merchant what `merchant_suspended` tells the operator. */
  account_suspended: () => 'Your marketplace operator has suspended the account.',
  too_many_streams: () => ({
    message: 'Too many streams in progress. Try again when one has finished.',
    retryAfterSeconds: 5,
  }),
  key_not_found: (id: string) => `The merchant has no key ${id}.`,
  /** The key is revoked, has expired or has too many valid tokens. */
  key_not_rotatable: (id: string, reason: string) => `Key ${id} ${reason}.`,
  /** The token already belongs to a key. */
  token_taken: () => 'This token is already in use.',
  user_not_found: (email: string) => `The merchant has no user with the email ${email}.`,
  only_owner: (email: string) => `${email} is the only owner. Make another user an owner first.`,
  webhook_not_found: (id: string) => `There is no webhook ${id}.`,
  event_not_found: (id: string) => `There is no event ${id} that this webhook receives.`,
  webhook_disabled: (id: string) => `The webhook ${id} is disabled. Enable it first.`,
  replay_in_progress: (id: string) =>
    `Earlier events are still being sent again to the webhook ${id}. Try again when they have been sent.`,
  too_many_webhooks: (limit: number) => `You have reached the limit of ${limit} webhooks. Delete one first.`,
  idempotency_key_reused: () =>
    'Idempotency-Key: this key was used in the last 24 hours for a different request; use a new one.',
  idempotency_key_in_progress: () => ({
    message: 'Idempotency-Key: a request with this key is still in progress; try again shortly.',
    retryAfterSeconds: 1,
  }),
  request_timeout: () => 'The request did not arrive in time; send it again.',
});

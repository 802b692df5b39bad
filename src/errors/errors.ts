import { beginning, describeProblems, MAX_PROBLEMS } from './describe-problems.ts';
import { createErrors, type ErrorDefinition, type Problem } from './domain-error.ts';

/** The errors of the features. docs/reference/errors.md describes those that the APIs send. */
export const errorDefinitions = {
  request_timeout: {
    status: 408,
    cause:
      'the request did not arrive within 30 seconds, or its headers within 15, or an upload or stream paused for 30',
    remedy: 'send it again',
    message: () => 'The request did not arrive in time; send it again.',
  },
  test_key_required: {
    status: 403,
    otherStatuses: [401],
    cause: 'the call changes only test data, and the key is live',
    remedy:
      'use a test key, whose token starts with `tpt_`; the console and `tradepost keys create --test` create one',
    message: () =>
      'This call requires a test key, whose access_token starts with tpt_: it changes only test data.',
  },
  /** Each reason continues the name of its field: “expected a number”. */
  invalid_parameters: {
    status: 400,
    cause:
      'parameters are missing or wrongly formatted; the message lists all of them, with what was expected',
    message: (problems: readonly Problem[]) => ({ message: describeProblems(problems), problems }),
  },
  only_quantities: {
    status: 403,
    otherStatuses: [401],
    cause:
      'the key has the scope `stock` without `write`, so it can change only quantities, and the call sent other fields, ' +
      'even if with their current values; the message names them, and the fields that are allowed',
    remedy: 'send only the fields that are allowed, or use a key that has the scope `write`',
    message: (fields: readonly string[], allowed: readonly string[]) => {
      const named = fields.slice(0, MAX_PROBLEMS);
      const more = fields.length > named.length ? ' and more' : '';
      return {
        message:
          'The key of this access_token has the scope stock without write, so it can change only quantities. ' +
          `Not allowed: ${named.map(beginning).join(', ')}${more}. Allowed: ${allowed.join(', ')}. ` +
          'For other fields, use a key that has the scope write.',
        problems: named.map((field) => ({
          field,
          reason: 'only quantities may be changed with the scope stock',
        })),
      };
    },
  },
  /** Each reason is a sentence, which a form shows next to its field. The APIs send `invalid_parameters`. */
  invalid_fields: {
    status: 400,
    message: (problems: readonly Problem[]) => ({
      message: problems.map(({ reason }) => reason).join(' '),
      problems,
    }),
  },
  /** Another merchant has or had the name, or a name that people may mistake for it. */
  name_taken: {
    status: 400,
    message: (reason: string) => ({ message: reason, problems: [{ field: 'name', reason }] }),
  },
  idempotency_key_reused: {
    status: 400,
    cause:
      'the `Idempotency-Key` was used in the last 24 hours for another method, path, parameters or file, or for a batch ' +
      'with a key that may change more, or less, or for a webhook with another token',
    remedy: 'use a new key for each request',
    message: () =>
      'Idempotency-Key: this key was used in the last 24 hours for a different request; use a new one.',
  },
  idempotency_key_in_progress: {
    status: 409,
    otherStatuses: [400],
    cause: 'the first request with this key is still in progress',
    remedy: 'send the same request again a little later',
    message: () => ({
      message: 'Idempotency-Key: a request with this key is still in progress; try again shortly.',
      retryAfterSeconds: 1,
    }),
  },
  merchant_not_found: {
    status: 404,
    cause: 'no merchant has this external ID',
    message: (externalId: string) => `There is no merchant with the external ID ${externalId}.`,
  },
  merchant_suspended: {
    status: 409,
    cause: 'the operator streams products, schedules or orders of a suspended merchant',
    remedy: 'set its `state` to `active` first',
    message: () => 'The merchant is suspended. Set its state to active before you import anything for it.',
  },
  /** Tells the merchant what `merchant_suspended` tells the operator. */
  account_suspended: {
    status: 403,
    message: (reason: string | null) =>
      `Your marketplace operator has suspended the account${reason === null ? '.' : `: ${reason}`}`,
  },
  competition_incomplete: {
    status: 503,
    cause:
      'the process has just started, or has not reached the database for some seconds, and reads who competes',
    remedy: 'wait as long as `Retry-After` says; nothing was reserved',
    message: () => ({
      message: 'Who competes for placements is still being read; try again shortly.',
      retryAfterSeconds: 2,
    }),
  },
  too_many_streams: {
    status: 503,
    cause: 'the process is importing 4 streams, the maximum',
    remedy: 'try again when one has ended',
    message: () => ({
      message: 'Too many streams in progress. Try again when one has finished.',
      retryAfterSeconds: 5,
    }),
  },
  key_not_found: {
    status: 404,
    cause: 'the merchant has no key with this ID',
    message: (id: string) => `The merchant has no key ${id}.`,
  },
  /** The key is revoked, has expired or has too many valid tokens. */
  key_not_rotatable: { status: 409, message: (id: string, reason: string) => `Key ${id} ${reason}.` },
  /** The token already belongs to a key. */
  token_taken: { status: 409, message: () => 'This token is already in use.' },
  user_not_found: {
    status: 404,
    cause: "the merchant's console has no user with this email",
    message: (email: string) => `The merchant has no user with the email ${email}.`,
  },
  webhook_not_found: {
    status: 404,
    cause: 'you have no webhook with this ID',
    message: (id: string) => `There is no webhook ${id}.`,
  },
  event_not_found: {
    status: 404,
    cause: 'there is no event with this ID, or the webhook does not receive such events',
    message: (id: string) => `There is no event ${id} that this webhook receives.`,
  },
  only_owner: {
    status: 409,
    cause: 'the user is the only owner of a merchant whose console has other users',
    remedy: 'make another user an owner first',
    message: (email: string) => `${email} is the only owner. Make another user an owner first.`,
  },
  set_up_link_gone: {
    status: 409,
    cause:
      'the link has expired, was replaced, or was already used, or a merchant was created in the meantime',
    message: () =>
      'This link has expired, was replaced, or was already used. Run "tradepost operators invite" to create an ' +
      'operator. While there is no merchant, a restart of the service prints a new link.',
  },
  backup_unavailable: {
    status: 409,
    cause:
      'the service cannot back up this database: `BACKUP_TO` is not set, or the database is PostgreSQL’s, which has ' +
      'tools of its own',
    message: (reason: string) => reason,
  },
  backup_in_progress: {
    status: 409,
    cause: 'another backup is in progress',
    remedy: 'try again when it has ended',
    message: () => 'Another backup is in progress. Try again when it has ended.',
  },
  backup_failed: {
    status: 409,
    cause: 'the backup could not be written or checked; the message says why',
    message: (reason: string) => `There is no new backup: ${reason}.`,
  },
  operator_not_found: {
    status: 404,
    cause: 'no operator has this email',
    message: (email?: string) =>
      email === undefined ? 'This operator was removed.' : `There is no operator with the email ${email}.`,
  },
  only_admin: {
    status: 409,
    cause: 'the operator is the only admin who can sign in, and there are other operators',
    remedy: 'make another operator an admin first',
    message: (email: string) =>
      `${email} is the only admin who can sign in. Make another operator an admin first.`,
  },
  webhook_disabled: {
    status: 409,
    otherStatuses: [400],
    cause: 'a disabled webhook cannot receive events again',
    message: (id: string) => `The webhook ${id} is disabled. Enable it first.`,
  },
  replay_in_progress: {
    status: 409,
    otherStatuses: [400],
    cause: 'events of an earlier replay to this webhook still wait for their attempts',
    remedy: 'try again when they have been sent, or replay a single event',
    message: (id: string) =>
      `Earlier events are still being sent again to the webhook ${id}. Try again when they have been sent.`,
  },
  test_delivery_in_progress: {
    status: 409,
    otherStatuses: [400],
    cause: 'an example is being sent to one of the merchant’s webhooks',
    remedy: 'try again when it has been sent',
    message: () => 'Another test delivery is in progress. Try again when it has ended.',
  },
  too_many_webhooks: {
    status: 409,
    otherStatuses: [400],
    cause: 'you have 20 webhooks already',
    message: (limit: number) => `You have reached the limit of ${limit} webhooks. Delete one first.`,
  },
  product_not_found: {
    status: 404,
    cause: 'the merchant has no product with this identifier or internal ID',
    message: (identifier: string) => `There is no product with the unique ID ${identifier}.`,
  },
  campaign_not_found: {
    status: 404,
    cause: 'the merchant has no campaign with this internal ID or name',
    message: (value: string, field: 'unique ID' | 'name' = 'unique ID') =>
      `There is no campaign with the ${field} ${value}.`,
  },
  order_not_found: {
    status: 404,
    cause: 'the merchant has no order with this ID',
    message: (id: string) => `There is no order with the ID ${id}.`,
  },
  package_not_found: {
    status: 404,
    cause: 'the order has no package with this ID',
    message: (id: string) => `The order has no package ${id}.`,
  },
  refund_not_found: {
    status: 404,
    cause: 'the order has no refund with this ID',
    message: (id: string) => `The order has no refund ${id}.`,
  },
  reset_superseded: {
    status: 409,
    otherStatuses: [400],
    cause: 'another `test/reset` started later, so this one stopped',
    remedy: 'send it again a little later, if you still need a reset',
    message: () => ({
      message: 'Another reset of the test side started later, so this one stopped; try again shortly.',
      retryAfterSeconds: 1,
    }),
  },
  cursor_expired: {
    status: 410,
    cause:
      'the cursor in `changed_since` is from before the database was restored from a backup, or the test side was reset',
    remedy: 'start again with `changed_since=start`',
    message: () =>
      'changed_since: this cursor is from before the database was restored from a backup or the test side was reset; start again with “start”.',
  },
  events_expired: {
    status: 410,
    cause:
      'events after the cursor in `after` were deleted because of their age, or the database was restored from a backup',
    remedy:
      'take a new cursor with `after=now`, read all data again with `changed_since=start`, then continue with the new cursor',
    message: () =>
      'after: events after this cursor are no longer kept, or the database was restored from a backup; take a new cursor with after=now, read all data again with changed_since=start, then continue with the new cursor.',
  },
  precondition_failed: {
    status: 412,
    cause: 'the record has changed since the ETag in `If-Match` was read',
    remedy: 'retrieve the record again, and apply the change to it',
    message: () =>
      'If-Match: the record has changed since it was read; retrieve it again, and apply the change to that.',
  },
  import_not_found: {
    status: 404,
    cause: 'the merchant has no import with this ID; imports are kept for a day',
    message: (id: string) => `There is no import with the ID ${id}. Imports are kept for a day.`,
  },
  change_not_found: {
    status: 404,
    cause: 'the history has no change or import of the merchant with this ID',
    message: (id: string) => `The history has no change or import with the ID ${id}.`,
  },
  change_too_old: {
    status: 404,
    cause: 'the change or the import is older than the history, so the former values are gone',
    message: (id: string, days: number) =>
      `The change ${id} is too old to be undone: the history is kept for ${days} ${days === 1 ? 'day' : 'days'}.`,
  },
  nothing_to_undo: {
    status: 400,
    cause: 'every value that the change has set has its former value, or the import changed nothing',
    message: () =>
      'There is nothing to undo: everything that this change has set has its former value, or it changed nothing.',
  },
  import_in_progress: {
    status: 409,
    otherStatuses: [400],
    cause: 'another file of the merchant is being received, checked or imported',
    remedy: 'send the file again when that one has finished',
    message: () => ({
      message: 'Another file is being uploaded, checked or imported; try again when it has finished.',
      retryAfterSeconds: 5,
    }),
  },
  file_too_large: {
    status: 413,
    cause: 'the file is larger than `MAX_UPLOAD`',
    remedy: 'compress it with gzip, or split it',
    message: (megabytes: number) => `The file is larger than the limit of ${megabytes} MB.`,
  },
  variation_not_found: {
    status: 404,
    cause: 'the merchant has no variation with this identifier',
    message: (identifier: string, hint = '') =>
      `There is no variation with the unique ID ${identifier}.${hint}`,
  },
} satisfies Record<string, ErrorDefinition>;

export const errors = createErrors(errorDefinitions);

import { DomainError, defineErrors } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { ConsoleErrorCode } from '../http/responses/statuses.ts';

/** The message for a password that is easy to guess. */
export const COMMON_PASSWORD = 'This password is too common.';

const requirers = {
  operator: 'Your marketplace operator',
  owner: 'An owner of your shop',
  screen: 'The operator’s screen',
} as const;

/** Errors of the console that the API does not have. */
export const consoleErrors = defineErrors({
  session_required: () => 'You aren’t signed in, or your session has expired.',
  two_factor_required: (by: 'operator' | 'owner' | 'screen') =>
    `${requirers[by]} requires two-factor authentication. Set it up to continue.`,
  role_required: (who: string, you: string) => `Only ${who} can do this. You are ${you}.`,
  support_view_ended: () => 'This support view has ended.',
  support_view_is_read_only: () => 'A support view is read only: nothing can be changed in it.',
  other_origin: () => 'The console accepts requests from its own pages only.',
  wrong_content_type: () => 'The console accepts JSON, and files as application/octet-stream.',
  unreadable_json: () => 'The request isn’t a JSON object.',
  wrong_sign_in: () => 'Incorrect email or password.',
  wrong_passkey: () => 'This passkey can’t sign you in here.',
  passwords_off: (provider: string) => `Passwords are off here. Sign in with ${provider}.`,
  sign_in_expired: (message: string) => message,
  account_locked: (message: string) => message,
  too_many_attempts: (seconds: number) => ({
    message: `Too many attempts. Try again in ${seconds} s.`,
    retryAfterSeconds: seconds,
  }),
  sign_in_busy: () => ({
    message: 'Too many people are signing in right now. Try again in a few seconds.',
    retryAfterSeconds: 10,
  }),
  no_mail: () => 'Ask your marketplace operator for a new link to set a password.',
  no_registration_mail: () => 'This console sends no email, so registration needs no link.',
  registration_closed: () => 'Only your marketplace operator can create accounts.',
  invalid: (message: string) => message,
  missing: (message: string) => message,
  conflict: (message: string) => message,
  other_shop: (shop: string) => `You switched to ${shop} in another tab. Reload this page to continue there.`,
  no_test_data: () => 'There is no test data yet. Open it with the switch “Test data”.',
  only_in_live_data: () => 'This is the same for live and test data. Leave test data to change it.',
  not_built: () => 'The console is not built: run "npm ci" or "npm run build" and restart.',
} satisfies Record<ConsoleErrorCode, unknown>);

/** The statuses that every endpoint of /console/api can return in addition to its own. */
export const consoleStatuses = [400, 401, 403, 409, 429, 500, 503] as const;

/** Returns a reason of `invalid_parameters` as a sentence. */
function sentence(reason: string): string {
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
}

/** Throws an error of a verb. What is wrong with a field becomes a sentence for the form. */
export function inSentences(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'invalid_parameters') throw error;
  throw errors.invalid_fields(
    error.problems.map(({ field, reason }) => ({ field, reason: sentence(reason) })),
  );
}

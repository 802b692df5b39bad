import { DomainError } from '../../errors/domain-error.ts';
import type { ConsoleErrorCode } from '../../http/responses/statuses.ts';
import { consoleErrors } from '../errors.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';

/** The parts of a better-auth response that the pages need. */
export interface AuthBody {
  status?: boolean;
  /** Whether sign-in continues with a two-factor code. */
  twoFactorRedirect?: boolean | undefined;
  totpURI?: string | undefined;
  backupCodes?: string[] | undefined;
}

/** Returns the parts of a response for the page. The session token is excluded: scripts must not read it. */
export function pageBody({ twoFactorRedirect, totpURI, backupCodes }: AuthBody): AuthBody {
  return { status: true, twoFactorRedirect, totpURI, backupCodes };
}

/** Errors for the user by better-auth's code. Codes that the console's pages cannot cause are omitted. */
const errors: Readonly<Record<string, { code?: ConsoleErrorCode; field?: string; reason: string }>> = {
  INVALID_PASSWORD: { field: 'password', reason: 'Incorrect password.' },
  PASSWORD_TOO_SHORT: {
    field: 'newPassword',
    reason: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
  },
  PASSWORD_TOO_LONG: {
    field: 'newPassword',
    reason: `Use at most ${MAX_PASSWORD_LENGTH} characters.`,
  },
  INVALID_TOKEN: {
    reason: 'This link has expired, was replaced, or was already used. Ask for a new one.',
  },
  INVALID_CODE: { field: 'code', reason: 'That code isn’t right or was already used.' },
  INVALID_BACKUP_CODE: {
    field: 'code',
    reason: 'That recovery code isn’t right or was already used.',
  },
  INVALID_TWO_FACTOR_COOKIE: {
    code: 'sign_in_expired',
    reason: 'This sign-in took too long. Sign in again.',
  },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    code: 'sign_in_expired',
    reason: 'Too many wrong codes. Sign in again.',
  },
  ACCOUNT_TEMPORARILY_LOCKED: {
    code: 'account_locked',
    reason: 'Too many wrong codes; try again in 15 minutes.',
  },
  TOTP_ALREADY_ENABLED: { reason: 'Two-factor authentication is already enabled.' },
  TOTP_NOT_ENABLED: { reason: 'Two-factor authentication isn’t set up.' },
  BACKUP_CODES_NOT_ENABLED: { reason: 'Two-factor authentication isn’t set up.' },
  TWO_FACTOR_NOT_ENABLED: { reason: 'Two-factor authentication isn’t enabled.' },
};

/** Returns the console's error for an error of better-auth. `fields` are the endpoint's. */
export function toConsoleError(
  status: number,
  code: string | undefined,
  fields: readonly string[],
): DomainError {
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL') return consoleErrors.wrong_sign_in();
  const known = code === undefined ? undefined : errors[code];
  if (known === undefined) {
    if (status === 401) return consoleErrors.session_required();
    return consoleErrors[status === 409 ? 'conflict' : 'invalid']('That didn’t work. Try again.');
  }
  const { reason: message } = known;
  // When a user changes their password, INVALID_PASSWORD is about the current one.
  const field =
    known.field === 'password' && fields.includes('currentPassword') ? 'currentPassword' : known.field;
  const problems = field === undefined ? [] : [{ field, reason: message }];
  return new DomainError(known.code ?? 'invalid', { message, problems });
}

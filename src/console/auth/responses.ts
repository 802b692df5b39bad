import { HttpError } from '../../http/responses/errors.ts';
import { consoleErrors } from '../errors.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';

/** The parts of a better-auth response that the pages need. */
export interface AuthBody {
  status?: boolean;
  /** Whether sign-in continues with a two-factor code. */
  twoFactorRedirect?: boolean;
  totpURI?: string;
  backupCodes?: string[];
}

/** Returns the parts of a response for the page. The session token is excluded: scripts must not read it. */
export function pageBody({ twoFactorRedirect, totpURI, backupCodes }: AuthBody): AuthBody {
  return {
    status: true,
    ...(twoFactorRedirect !== undefined && { twoFactorRedirect }),
    ...(totpURI !== undefined && { totpURI }),
    ...(backupCodes !== undefined && { backupCodes }),
  };
}

/** Messages by better-auth's error code, except codes that the pages cannot cause. */
const messages: Readonly<Record<string, { status: number; name?: string; reason: string }>> = {
  INVALID_PASSWORD: { status: 400, name: 'password', reason: 'Incorrect password.' },
  PASSWORD_TOO_SHORT: {
    status: 400,
    name: 'newPassword',
    reason: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
  },
  PASSWORD_TOO_LONG: {
    status: 400,
    name: 'newPassword',
    reason: `Use at most ${MAX_PASSWORD_LENGTH} characters.`,
  },
  INVALID_TOKEN: {
    status: 400,
    reason: 'This link has expired, was replaced, or was already used. Ask for a new one.',
  },
  INVALID_CODE: { status: 400, name: 'code', reason: 'That code isn’t right or was already used.' },
  INVALID_BACKUP_CODE: {
    status: 400,
    name: 'code',
    reason: 'That recovery code isn’t right or was already used.',
  },
  INVALID_TWO_FACTOR_COOKIE: { status: 401, reason: 'This sign-in took too long. Sign in again.' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { status: 401, reason: 'Too many wrong codes. Sign in again.' },
  ACCOUNT_TEMPORARILY_LOCKED: { status: 429, reason: 'Too many wrong codes; try again in 15 minutes.' },
  TOTP_ALREADY_ENABLED: { status: 400, reason: 'Two-factor authentication is already enabled.' },
  TOTP_NOT_ENABLED: { status: 400, reason: 'Two-factor authentication isn’t set up.' },
  BACKUP_CODES_NOT_ENABLED: { status: 400, reason: 'Two-factor authentication isn’t set up.' },
  TWO_FACTOR_NOT_ENABLED: { status: 400, reason: 'Two-factor authentication isn’t enabled.' },
};

/** Returns the console's error for an error of better-auth. `fields` are the endpoint's. */
export function toConsoleError(
  status: number,
  code: string | undefined,
  fields: readonly string[],
): HttpError {
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL') return consoleErrors.wrong_sign_in();
  const message = code === undefined ? undefined : messages[code];
  if (message === undefined) {
    if (status === 401) return consoleErrors.session_required();
    return new HttpError(status === 409 ? 409 : 400, 'That didn’t work. Try again.');
  }
  const { reason, name } = message;
  // When a user changes their password, INVALID_PASSWORD is about the current one.
  const field = name === 'password' && fields.includes('currentPassword') ? 'currentPassword' : name;
  return new HttpError(message.status, reason, {}, field === undefined ? [] : [{ name: field, reason }]);
}

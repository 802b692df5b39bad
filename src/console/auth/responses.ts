import { HttpError } from '../../http/responses/errors.ts';
import { refusals } from '../errors.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from './passwords.ts';

/** What better-auth answered with, of which only what the console's pages need goes on to them. */
export interface AuthAnswer {
  status?: boolean;
  /** Sign-in goes on with a code. */
  twoFactorRedirect?: boolean;
  totpURI?: string;
  backupCodes?: string[];
}

/** The parts of an answer that are for the page: not the session's token, which scripts must not read. */
export function forPage({ twoFactorRedirect, totpURI, backupCodes }: AuthAnswer): AuthAnswer {
  return {
    status: true,
    ...(twoFactorRedirect !== undefined && { twoFactorRedirect }),
    ...(totpURI !== undefined && { totpURI }),
    ...(backupCodes !== undefined && { backupCodes }),
  };
}

/** What a person is told, by better-auth's code. Those that pages of the console never meet are not here. */
const sentences: Readonly<Record<string, { status: number; name?: string; reason: string }>> = {
  INVALID_PASSWORD: { status: 400, name: 'password', reason: 'This is not your password.' },
  PASSWORD_TOO_SHORT: {
    status: 400,
    name: 'newPassword',
    reason: `A password has at least ${SHORTEST_PASSWORD} characters.`,
  },
  PASSWORD_TOO_LONG: {
    status: 400,
    name: 'newPassword',
    reason: `A password has at most ${LONGEST_PASSWORD} characters.`,
  },
  INVALID_TOKEN: {
    status: 400,
    reason: 'This link is not valid: it has been used, has been replaced or is too old. Ask for a new one.',
  },
  INVALID_CODE: { status: 400, name: 'code', reason: 'This code is not right, or has been used.' },
  INVALID_BACKUP_CODE: {
    status: 400,
    name: 'code',
    reason: 'This recovery code is not right, or has been used.',
  },
  INVALID_TWO_FACTOR_COOKIE: { status: 401, reason: 'This sign-in has taken too long: begin again.' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: {
    status: 401,
    reason: 'Too many wrong codes: begin to sign in again.',
  },
  ACCOUNT_TEMPORARILY_LOCKED: { status: 429, reason: 'Too many wrong codes; try again in 15 minutes.' },
  TOTP_ALREADY_ENABLED: { status: 400, reason: 'The second factor is on already.' },
  TOTP_NOT_ENABLED: { status: 400, reason: 'There is no second factor to check.' },
  BACKUP_CODES_NOT_ENABLED: { status: 400, reason: 'There is no second factor to check.' },
  TWO_FACTOR_NOT_ENABLED: { status: 400, reason: 'The second factor is not on.' },
};

/** The refusal that stands for better-auth's. `fields` are those that the path takes. */
export function refusalOf(status: number, code: string | undefined, fields: readonly string[]): HttpError {
  if (code === 'INVALID_EMAIL_OR_PASSWORD' || code === 'INVALID_EMAIL') return refusals.wrong_sign_in();
  const known = code === undefined ? undefined : sentences[code];
  if (known === undefined) {
    if (status === 401) return refusals.session_required();
    return new HttpError(status === 409 ? 409 : 400, 'This is not possible just now; try again.');
  }
  const { reason, name } = known;
  // At a change of password, “your password” is the current one.
  const field = name === 'password' && fields.includes('currentPassword') ? 'currentPassword' : name;
  return new HttpError(known.status, reason, {}, field === undefined ? [] : [{ name: field, reason }]);
}

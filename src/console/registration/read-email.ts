import { errors } from '../../errors/errors.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { normalizeEmail } from '../../users/add-user.ts';

/** Returns an email as emails are stored. @throws {DomainError} 400 if it is missing or invalid */
export function readEmail(body: unknown): string {
  const { email } = (body ?? {}) as { email?: unknown };
  const normalized = typeof email === 'string' ? normalizeEmail(email) : '';
  if (isEmailAddress(normalized)) return normalized;
  const reason = normalized === '' ? 'Enter your email.' : 'Enter a valid email.';
  throw errors.invalid_fields([{ field: 'email', reason }]);
}

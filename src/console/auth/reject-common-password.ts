import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { hashPasswordToken } from '../../users/password-link.ts';
import { COMMON_PASSWORD } from '../errors.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import type { PasswordOwner } from './common-passwords.ts';
import type { PasswordQueue } from './password-queue.ts';
import { hasValidLength } from './passwords.ts';
import { findPasswordOwner } from './queries.ts';

/**
 * Call it within `PasswordQueue.serve`. Skips passwords that better-auth rejects anyway.
 * @throws {DomainError} 400, with the field, if a new password is easy to guess
 */
export async function rejectCommonPassword(
  services: { database: Database; now: () => number; passwords: PasswordQueue },
  caller: ConsoleCaller | undefined,
  { newPassword, token }: Record<string, unknown>,
): Promise<void> {
  if (typeof newPassword !== 'string' || !hasValidLength(newPassword)) return;
  const owner = caller === undefined ? await ownerOf(services, token) : ofCaller(caller);
  if (owner === undefined || !(await services.passwords.isCommon(newPassword, owner))) return;
  throw errors.invalid_fields([{ field: 'newPassword', reason: COMMON_PASSWORD }]);
}

function ofCaller({ user, merchant }: ConsoleCaller): PasswordOwner {
  return { email: user.email, name: user.name, merchantName: merchant.name };
}

async function ownerOf(
  { database, now }: { database: Database; now: () => number },
  token: unknown,
): Promise<PasswordOwner | undefined> {
  const row = await database.first(findPasswordOwner, {
    identifierHash: hashPasswordToken(String(token)),
    now: now(),
  });
  return row && { email: row.email, name: row.name, merchantName: row.merchant_name };
}

import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { COMMON_PASSWORD } from '../errors.ts';
import type { PasswordOwner } from './common-passwords.ts';
import type { PasswordQueue } from './password-queue.ts';
import { hasValidLength } from './passwords.ts';
import { findLinkOwner, type Realm, type RealmCaller } from './realm.ts';

interface Services<Caller extends RealmCaller> {
  realm: Realm<Caller>;
  database: Database;
  now: () => number;
  passwords: PasswordQueue;
}

/**
 * Call it within `PasswordQueue.serve`. Skips passwords that better-auth rejects anyway.
 * @throws {DomainError} 400, with the field, if a new password is easy to guess
 */
export async function rejectCommonPassword<Caller extends RealmCaller>(
  services: Services<Caller>,
  caller: Caller | undefined,
  { newPassword, token }: Record<string, unknown>,
): Promise<void> {
  if (typeof newPassword !== 'string' || !hasValidLength(newPassword)) return;
  const owner =
    caller === undefined
      ? await ownerOf(services, typeof token === 'string' ? token : '')
      : services.realm.passwordOwnerOf(caller);
  if (owner === undefined || !(await services.passwords.isCommon(newPassword, owner))) return;
  throw errors.invalid_fields([{ field: 'newPassword', reason: COMMON_PASSWORD }]);
}

async function ownerOf<Caller extends RealmCaller>(
  services: Services<Caller>,
  token: string,
): Promise<PasswordOwner | undefined> {
  const row = await findLinkOwner(services, services.realm, token);
  return row && { email: row.email, name: row.name, placeName: row.place_name };
}

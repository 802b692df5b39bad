import { randomUUIDv7 } from 'node:crypto';
import type { Reader } from '../database/database.ts';
import type { WriteContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { isEmailAddress } from '../shared/email-address.ts';
import { findUserByEmail, insertPassword, insertUser, type UserRow } from './queries.ts';
import { DEFAULT_ROLE, type Role } from './role.ts';

export const MAX_USER_NAME_LENGTH = 100;

export interface NewUser {
  name: string;
  /** Identifies the user at sign-in, in any letter case. */
  email: string;
  role?: Role | undefined;
  /** From `hashPassword`. If omitted, the user must set a password first. */
  passwordHash?: string;
}

/** Returns the form in which an email is stored and looked up. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** @throws {DomainError} `invalid_fields` for an invalid name or email, or an email that has an account */
export async function addUser(
  { connection, merchantId, now }: WriteContext,
  { name, email, role = DEFAULT_ROLE, passwordHash }: NewUser,
): Promise<UserRow> {
  const id = randomUUIDv7();
  const user = { id, merchant_id: merchantId, name: parseUserName(name), email: parseEmail(email), role };
  const inserted = await connection.run(insertUser, { ...user, now });
  if (inserted === 0) throw invalidEmail(`${user.email} already has an account.`);
  if (passwordHash !== undefined) {
    await connection.run(insertPassword, { id: randomUUIDv7(), userId: user.id, passwordHash, now });
  }
  return user;
}

/** Finds a user by email, in any letter case. @throws {DomainError} `invalid_fields` for an invalid email */
export async function findUser(
  connection: Pick<Reader, 'first'>,
  email: string,
): Promise<UserRow | undefined> {
  return await connection.first(findUserByEmail, { email: parseEmail(email) });
}

/** Returns the name of a person without spaces around it. @throws {DomainError} `invalid_fields` */
export function parseUserName(sent: string): string {
  const name = sent.trim();
  if (name !== '' && name.length <= MAX_USER_NAME_LENGTH && !/\p{Cc}/u.test(name)) return name;
  const reason = `The name must have 1 to ${MAX_USER_NAME_LENGTH} characters and no control characters.`;
  throw errors.invalid_fields([{ field: 'name', reason }]);
}

/** Returns an email as it is stored. @throws {DomainError} `invalid_fields` */
export function parseEmail(email: string): string {
  const normalized = normalizeEmail(email);
  if (isEmailAddress(normalized)) return normalized;
  throw invalidEmail(`"${email}" is not an email address.`);
}

/** Returns the error for an email that a user cannot have. `reason` is a sentence. */
export function invalidEmail(reason: string): DomainError {
  return errors.invalid_fields([{ field: 'email', reason }]);
}

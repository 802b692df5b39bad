import { randomUUIDv7 } from 'node:crypto';
import type { WriteContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { isEmailAddress } from '../shared/email-address.ts';
import { insertMembership, type UserRow } from './membership-queries.ts';
import { claimPerson, insertPassword, insertPerson, setPasswordSeen } from './queries.ts';
import { DEFAULT_ROLE, type Role } from './role.ts';

export const MAX_USER_NAME_LENGTH = 100;

export interface NewUser {
  name: string;
  /** Identifies the user at sign-in, in any letter case. */
  email: string;
  role?: Role | undefined;
  /** From `hashPassword`. If omitted, the user must set a password first. */
  passwordHash?: string;
  /** Whether whoever knows the password is known to have the email, which is the default. */
  isConfirmed?: boolean;
}

/** Returns the form in which an email is stored and looked up. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Adds a person who has no account yet to the merchant's users.
 * @throws {DomainError} `invalid_fields` for an invalid name or email, or an email that has an account
 */
export async function addUser(
  context: WriteContext,
  { name, email, role = DEFAULT_ROLE, passwordHash, isConfirmed = true }: NewUser,
): Promise<UserRow> {
  const { connection, now } = context;
  const person = { id: randomUUIDv7(), name: parseUserName(name), email: parseEmail(email) };
  const inserted = await connection.run(insertPerson, { ...person, now });
  if (inserted === 0) throw invalidEmail(`${person.email} already has an account.`);
  const hasPassword = passwordHash !== undefined;
  if (hasPassword)
    await connection.run(insertPassword, { id: randomUUIDv7(), userId: person.id, passwordHash, now });
  if (!isConfirmed) await connection.run(setPasswordSeen, { userId: person.id, seen: 1, now });
  return await addMembership(context, { ...person, role, accepted: hasPassword ? 1 : 0 });
}

/**
 * Adds whoever has the email to the merchant's users, who are none of them yet, by an invitation that is not
 * accepted. What it does and returns is the same whether or not the person works for another merchant.
 * @throws {DomainError} `invalid_fields` for an invalid name or email
 */
export async function addInvitedUser(
  context: WriteContext,
  { name: sentName, email: sentEmail, role = DEFAULT_ROLE }: Omit<NewUser, 'passwordHash'>,
): Promise<UserRow> {
  const { connection, now } = context;
  const [name, email] = [parseUserName(sentName), parseEmail(sentEmail)];
  const person = await connection.first(claimPerson, { id: randomUUIDv7(), name, email, now });
  if (person === undefined) throw new Error('the person was not added');
  return await addMembership(context, { id: person.id, name, email, role, accepted: 0 });
}

async function addMembership(
  { connection, merchantId, now }: WriteContext,
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'role' | 'accepted'>,
): Promise<UserRow> {
  const membershipId = randomUUIDv7();
  const { id: userId, role, name, accepted } = user;
  const acceptedAt = accepted === 1 ? now : null;
  await connection.run(insertMembership, {
    id: membershipId,
    ...{ userId, merchantId, role, name, acceptedAt, now },
  });
  return { ...user, membership_id: membershipId, merchant_id: merchantId };
}

/** Returns the name of a person without spaces around it. @throws {DomainError} `invalid_fields` */
export function parseUserName(sent: string): string {
  const name = sent.trim();
  if (name !== '' && name.length <= MAX_USER_NAME_LENGTH && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  const reason = `The name must have 1 to ${MAX_USER_NAME_LENGTH} characters, all of them visible.`;
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

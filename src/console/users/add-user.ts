import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../../database/database.ts';
import { findUserByEmail, insertPassword, insertUser, type UserRow } from './queries.ts';

export interface NewUser {
  merchantId: number;
  name: string;
  /** By which the user signs in; letter case does not matter. */
  email: string;
  /** Made by `hashPassword`; without one, the user has to set a password before signing in. */
  passwordHash?: string;
}

/** What was said of a user cannot be used; the message is for people. */
export class UserRefused extends Error {
  override name = 'UserRefused';
  readonly field: 'name' | 'email';

  constructor(field: 'name' | 'email', message: string) {
    super(message);
    this.field = field;
  }
}

/** The form in which e-mail addresses are kept and looked for. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Makes a user of the console, in a transaction under way.
 * @throws {UserRefused} for a name or an address that is none, and one that somebody has already
 */
export async function addUser(
  connection: Connection,
  { merchantId, name, email, passwordHash }: NewUser,
  now: number,
): Promise<UserRow> {
  const user = { id: randomUUIDv7(), merchant_id: merchantId, name: name.trim(), email: checkEmail(email) };
  if (user.name === '' || user.name.length > 100 || /\p{Cc}/u.test(user.name)) {
    throw new UserRefused('name', 'A user’s name has 1 to 100 characters.');
  }
  const made = await connection.run(insertUser, { ...user, now });
  if (made === 0) throw new UserRefused('email', `${user.email} has an account already.`);
  if (passwordHash !== undefined) {
    await connection.run(insertPassword, { id: randomUUIDv7(), userId: user.id, passwordHash, now });
  }
  return user;
}

/** The user with this address, whatever its letter case. */
export async function findUser(
  connection: Pick<Connection, 'first'>,
  email: string,
): Promise<UserRow | undefined> {
  return await connection.first(findUserByEmail, { email: checkEmail(email) });
}

// As sign-in has it: an address that it would refuse is of no use.
const ADDRESS = /^(?!\.)(?!.*\.\.)[a-z0-9_'+\-.]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
const LONGEST_ADDRESS = 254;

function checkEmail(email: string): string {
  const normal = normalizeEmail(email);
  if (normal.length <= LONGEST_ADDRESS && ADDRESS.test(normal)) return normal;
  throw new UserRefused('email', `"${email}" is not an e-mail address.`);
}

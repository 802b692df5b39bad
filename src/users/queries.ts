import { statement } from '../database/statement.ts';

/** A person who uses the console, in whichever shops. */
export interface PersonRow {
  id: string;
  name: string;
  email: string;
}

export const findPersonByEmail = statement<{ email: string }, PersonRow>(
  'SELECT id, name, email FROM console_users WHERE email = :email',
);

export const findPersonById = statement<{ userId: string }, PersonRow>(
  'SELECT id, name, email FROM console_users WHERE id = :userId',
);

type NewPerson = PersonRow & { now: number };

const insertion = `INSERT INTO console_users (id, name, email, two_factor, created_at, updated_at)
   VALUES (:id, :name, :email, 0, :now, :now) ON CONFLICT (email)`;

/** Changes nothing if the email is taken. */
export const insertPerson = statement<NewPerson, never>(`${insertion} DO NOTHING`);

/** Adds a person unless the email is taken. Locks and returns whoever has it. */
export const claimPerson = statement<NewPerson, { id: string }>(
  `${insertion} DO UPDATE SET email = excluded.email RETURNING id`,
);

export const renamePerson = statement<{ userId: string; name: string; now: number }, never>(
  'UPDATE console_users SET name = :name, updated_at = :now WHERE id = :userId',
);

export const insertPassword = statement<
  { id: string; userId: string; passwordHash: string; now: number },
  never
>(
  `INSERT INTO user_accounts (id, user_id, provider, account_id, password_hash, created_at, updated_at)
   VALUES (:id, :userId, 'credential', :userId, :passwordHash, :now, :now)`,
);

/** Finds a person who has a password, an identity or a shop, so that no other one sets a password. */
export const findAccount = statement<{ userId: string }, { id: string }>(
  `SELECT id FROM console_users WHERE id = :userId
     AND (EXISTS (SELECT 1 FROM user_accounts WHERE user_id = :userId AND password_hash IS NOT NULL)
       OR EXISTS (SELECT 1 FROM user_identities WHERE user_id = :userId)
       OR EXISTS (SELECT 1 FROM memberships WHERE user_id = :userId AND accepted_at IS NOT NULL))`,
);

/** Invalidates a person's links to set a password, and pending sign-ins. */
export const deleteVerificationsOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_verifications WHERE value = :userId',
);

export const deleteLinksOfInvitation = statement<{ membershipId: string }, never>(
  'DELETE FROM user_verifications WHERE value = :membershipId',
);

export const insertVerification = statement<
  { id: string; identifierHash: string; value: string; seen: number; expiresAt: number; now: number },
  never
>(
  `INSERT INTO user_verifications (id, identifier_hash, value, seen, expires_at, created_at, updated_at)
   VALUES (:id, :identifierHash, :value, :seen, :expiresAt, :now, :now)`,
);

/**
 * Finds whose link sets a password, and keeps the link until the transaction ends. `seen` is 1 if an owner
 * has seen the link.
 */
export const lockLink = statement<{ identifierHash: string; now: number }, { value: string; seen: number }>(
  `UPDATE user_verifications SET id = id WHERE identifier_hash = :identifierHash AND expires_at > :now
   RETURNING value, seen`,
);

/** `seen` is 1 if somebody else than the person may know the password, or 0. */
export const setPasswordSeen = statement<{ userId: string; seen: number; now: number }, never>(
  'UPDATE console_users SET password_seen = :seen, updated_at = :now WHERE id = :userId',
);

export const findPasswordSeen = statement<{ userId: string }, { password_seen: number }>(
  'SELECT password_seen FROM console_users WHERE id = :userId',
);

/** Makes another link of a link with the same token. An owner who has seen it has seen both. */
export const replaceVerification = statement<
  { before: string; identifierHash: string; value: string; now: number },
  never
>(
  `UPDATE user_verifications SET identifier_hash = :identifierHash, value = :value, updated_at = :now
   WHERE identifier_hash = :before`,
);

export const disableTwoFactorOfUser = statement<{ userId: string; now: number }, never>(
  'UPDATE console_users SET two_factor = 0, updated_at = :now WHERE id = :userId',
);

/** `two_factor` is 0 or 1. */
export const findTwoFactorOfUser = statement<{ userId: string }, { two_factor: number }>(
  'SELECT two_factor FROM console_users WHERE id = :userId',
);

export const deleteTwoFactorOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_two_factors WHERE user_id = :userId',
);

/** The hash is null for a user without a password. */
export const findPasswordOfUser = statement<{ userId: string }, { password_hash: string | null }>(
  'SELECT password_hash FROM user_accounts WHERE user_id = :userId',
);

export const deletePasswordOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_accounts WHERE user_id = :userId',
);

/** Waits until no other transaction gives the person another shop. */
export const lockPerson = statement<{ userId: string }, never>(
  'UPDATE console_users SET id = id WHERE id = :userId',
);

export const deletePersonWithoutShop = statement<{ userId: string }, never>(
  `DELETE FROM console_users
   WHERE id = :userId AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = :userId)`,
);

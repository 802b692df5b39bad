import { statement } from '../database/database.ts';
import type { Role } from './role.ts';

export interface UserRow {
  id: string;
  merchant_id: number;
  name: string;
  email: string;
  role: Role;
}

export const findUserByEmail = statement<{ email: string }, UserRow>(
  'SELECT id, merchant_id, name, email, role FROM console_users WHERE email = :email',
);

export const findUserById = statement<{ userId: string }, UserRow>(
  'SELECT id, merchant_id, name, email, role FROM console_users WHERE id = :userId',
);

/** 1 if a user has set a password or signed in by an identity provider, else 0. */
const hasAccepted = `CASE WHEN a.password_hash IS NOT NULL
     OR EXISTS (SELECT 1 FROM user_identities i WHERE i.user_id = u.id) THEN 1 ELSE 0 END AS has_accepted`;

export interface Member extends UserRow {
  /** Whether (1) the user has accepted the invitation. */
  has_accepted: number;
}

export const findMember = statement<{ merchantId: number; userId: string }, Member>(
  `SELECT u.id, u.merchant_id, u.name, u.email, u.role, ${hasAccepted}
   FROM console_users u LEFT JOIN user_accounts a ON a.user_id = u.id
   WHERE u.merchant_id = :merchantId AND u.id = :userId`,
);

/** `has_accepted` is 1 or 0; `muted_mails` are kinds of mail, separated by commas. */
export const listRecipients = statement<
  { merchantId: number },
  Pick<UserRow, 'id' | 'email'> & { muted_mails: string; has_accepted: number }
>(
  `SELECT u.id, u.email, u.muted_mails, ${hasAccepted}
   FROM console_users u LEFT JOIN user_accounts a ON a.user_id = u.id
   WHERE u.merchant_id = :merchantId ORDER BY u.email`,
);

/** Changes nothing if the email is taken. */
export const insertUser = statement<UserRow & { now: number }, never>(
  `INSERT INTO console_users (id, merchant_id, name, email, role, two_factor, created_at, updated_at)
   VALUES (:id, :merchant_id, :name, :email, :role, 0, :now, :now)
   ON CONFLICT (email) DO NOTHING`,
);

export const insertPassword = statement<
  { id: string; userId: string; passwordHash: string; now: number },
  never
>(
  `INSERT INTO user_accounts (id, user_id, provider, account_id, password_hash, created_at, updated_at)
   VALUES (:id, :userId, 'credential', :userId, :passwordHash, :now, :now)`,
);

export const countUsersOfMerchant = statement<{ merchantId: number }, { users: number }>(
  'SELECT count(*) AS users FROM console_users WHERE merchant_id = :merchantId',
);

export const countOtherUsers = statement<
  { merchantId: number; userId: string },
  { users: number; owners: number }
>(
  `SELECT count(*) AS users, count(CASE WHEN role = 'owner' THEN 1 END) AS owners FROM console_users
   WHERE merchant_id = :merchantId AND id <> :userId`,
);

export const updateRole = statement<{ userId: string; role: Role; now: number }, never>(
  'UPDATE console_users SET role = :role, updated_at = :now WHERE id = :userId',
);

export const markSignedIn = statement<{ userId: string; now: number }, never>(
  'UPDATE console_users SET last_sign_in_at = :now WHERE id = :userId',
);

/** Invalidates a user's links and pending sign-ins. */
export const deleteVerificationsOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_verifications WHERE value = :userId',
);

export const insertVerification = statement<
  { id: string; identifierHash: string; value: string; expiresAt: number; now: number },
  never
>(
  `INSERT INTO user_verifications (id, identifier_hash, value, expires_at, created_at, updated_at)
   VALUES (:id, :identifierHash, :value, :expiresAt, :now, :now)`,
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

export const deletePasswordOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_accounts WHERE user_id = :userId',
);

export const deleteUser = statement<{ userId: string }, never>(
  'DELETE FROM console_users WHERE id = :userId',
);

/** `has_password` and `two_factor` are 0 or 1. */
export interface ListedUser extends Omit<UserRow, 'merchant_id'> {
  has_password: number;
  two_factor: number;
  /** Null before the first sign-in. */
  last_sign_in_at: number | null;
  created_at: number;
}

/** Ordered by email. */
export const listUsersOfMerchant = statement<{ merchantId: number }, ListedUser>(
  `SELECT u.id, u.email, u.name, u.role, u.two_factor, u.last_sign_in_at, u.created_at,
     CASE WHEN a.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
   FROM console_users u LEFT JOIN user_accounts a ON a.user_id = u.id
   WHERE u.merchant_id = :merchantId ORDER BY u.email`,
);

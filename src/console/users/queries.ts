import { statement } from '../../database/database.ts';

export interface UserRow {
  id: string;
  merchant_id: number;
  name: string;
  email: string;
}

export const findUserByEmail = statement<UserRow>(
  'SELECT id, merchant_id, name, email FROM console_users WHERE email = ?',
);

/** Parameters: id, merchant, name, e-mail address, the time twice. Changes nothing where the address is taken. */
export const insertUser = statement(
  `INSERT INTO console_users (id, merchant_id, name, email, two_factor, created_at, updated_at)
   VALUES (?, ?, ?, ?, 0, ?, ?)
   ON CONFLICT (email) DO NOTHING`,
);

/** Parameters: id, user, the user again, the password's hash, the time twice. */
export const insertPassword = statement(
  `INSERT INTO console_accounts (id, user_id, provider, account_id, password_hash, created_at, updated_at)
   VALUES (?, ?, 'credential', ?, ?, ?, ?)`,
);

/** Parameters: the merchant. */
export const countUsersOfMerchant = statement<{ users: number }>(
  'SELECT count(*) AS users FROM console_users WHERE merchant_id = ?',
);

/** Parameters: the user. Ends sign-ins under way too, which costs a further attempt. */
export const deleteVerificationsOfUser = statement('DELETE FROM console_verifications WHERE value = ?');

/** Parameters: id, the hash of the identifier, the user, when it expires, the time twice. */
export const insertVerification = statement(
  `INSERT INTO console_verifications (id, identifier_hash, value, expires_at, created_at, updated_at)
   VALUES (?, ?, ?, ?, ?, ?)`,
);

/** Parameters: the time, the user. */
export const forgetTwoFactorOfUser = statement(
  'UPDATE console_users SET two_factor = 0, updated_at = ? WHERE id = ?',
);

/** Parameters: the user. */
export const deleteTwoFactorOfUser = statement('DELETE FROM console_two_factors WHERE user_id = ?');

/** Parameters: the user. */
export const deleteSessionsOfUser = statement('DELETE FROM console_sessions WHERE user_id = ?');

/** Parameters: the user. */
export const deletePasswordOfUser = statement('DELETE FROM console_accounts WHERE user_id = ?');

/** Parameters: the user. */
export const deleteUser = statement('DELETE FROM console_users WHERE id = ?');

/** Parameters: the merchant. */
export const listUsersOfMerchant = statement<{
  email: string;
  name: string;
  has_password: number;
  two_factor: number;
  created_at: number;
}>(
  `SELECT u.email, u.name, u.two_factor, u.created_at,
     CASE WHEN a.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
   FROM console_users u LEFT JOIN console_accounts a ON a.user_id = u.id
   WHERE u.merchant_id = ? ORDER BY u.email`,
);

import { statement } from '../database/statement.ts';
import type { OperatorRole } from './role.ts';

export interface OperatorRow {
  id: string;
  name: string;
  email: string;
  role: OperatorRole;
}

const columns = 'id, name, email, role';

export const findOperatorByEmail = statement<{ email: string }, OperatorRow>(
  `SELECT ${columns} FROM operators WHERE email = :email`,
);

export const findOperatorById = statement<{ id: string }, OperatorRow>(
  `SELECT ${columns} FROM operators WHERE id = :id`,
);

/** The operator as a user of the screen. */
export const findOperatorUser = statement<{ userId: string }, Omit<OperatorRow, 'role'>>(
  'SELECT id, name, email FROM operators WHERE id = :userId',
);

/** Changes nothing if the email is taken. */
export const insertOperator = statement<OperatorRow & { now: number }, never>(
  `INSERT INTO operators (id, name, email, role, two_factor, created_at, updated_at)
   VALUES (:id, :name, :email, :role, 0, :now, :now) ON CONFLICT (email) DO NOTHING`,
);

/** Locks all operators until the transaction ends. There are few. */
export const lockOperators = statement<unknown, never>('UPDATE operators SET id = id');

const CAN_SIGN_IN = `(two_factor = 1 AND EXISTS (SELECT 1 FROM user_accounts a WHERE a.user_id = operators.id))
   OR EXISTS (SELECT 1 FROM user_passkeys p WHERE p.user_id = operators.id)
   OR EXISTS (SELECT 1 FROM user_identities i WHERE i.user_id = operators.id)`;

/** `can_sign_in` counts the admins who have two factors, a passkey, or an identity at a provider. */
export const countOtherAdmins = statement<
  { id: string },
  { admins: number; can_sign_in: number; operators: number }
>(
  `SELECT count(*) AS operators, count(CASE WHEN role = 'admin' THEN 1 END) AS admins,
     count(CASE WHEN role = 'admin' AND (${CAN_SIGN_IN}) THEN 1 END) AS can_sign_in
   FROM operators WHERE id <> :id`,
);

/** `can_sign_in` is 1 if the operator has two factors, a passkey, or an identity at a provider; else 0. */
export const findCanSignIn = statement<{ id: string }, { can_sign_in: number }>(
  `SELECT CASE WHEN ${CAN_SIGN_IN} THEN 1 ELSE 0 END AS can_sign_in FROM operators WHERE id = :id`,
);

export const updateOperatorRole = statement<{ id: string; role: OperatorRole; now: number }, never>(
  'UPDATE operators SET role = :role, updated_at = :now WHERE id = :id',
);

export const markOperatorSignedIn = statement<{ userId: string; now: number }, never>(
  'UPDATE operators SET last_sign_in_at = :now WHERE id = :userId',
);

/** `two_factor` is 0 or 1. */
export const findTwoFactorOfOperator = statement<{ userId: string }, { two_factor: number }>(
  'SELECT two_factor FROM operators WHERE id = :userId',
);

export const disableTwoFactorOfOperator = statement<{ id: string; now: number }, never>(
  'UPDATE operators SET two_factor = 0, updated_at = :now WHERE id = :id',
);

/** Sets whether (1) an operator's password works although passwords are off, or not (0). */
export const allowPassword = statement<{ id: string; allowed: number }, never>(
  'UPDATE operators SET password_allowed = :allowed WHERE id = :id',
);

/** `allowed` is 0 or 1. */
export const findPasswordAllowed = statement<{ email: string }, { allowed: number }>(
  'SELECT password_allowed AS allowed FROM operators WHERE email = :email',
);

export const deleteOperator = statement<{ id: string }, never>('DELETE FROM operators WHERE id = :id');

/** `has_password` and `two_factor` are 0 or 1. */
export interface ListedOperator extends OperatorRow {
  has_password: number;
  two_factor: number;
  /** Null before the first sign-in. */
  last_sign_in_at: number | null;
  created_at: number;
}

/** Ordered by email. */
export const listAllOperators = statement<unknown, ListedOperator>(
  `SELECT o.id, o.name, o.email, o.role, o.two_factor, o.last_sign_in_at, o.created_at,
     CASE WHEN a.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
   FROM operators o LEFT JOIN user_accounts a ON a.user_id = o.id ORDER BY o.email`,
);

/** Each is 0 or 1. Merchants are never deleted. */
export const findSetUpFacts = statement<unknown, { has_operator: number; has_merchant: number }>(
  `SELECT CASE WHEN EXISTS (SELECT 1 FROM operators) THEN 1 ELSE 0 END AS has_operator,
     CASE WHEN EXISTS (SELECT 1 FROM merchants) THEN 1 ELSE 0 END AS has_merchant`,
);

interface LinkName {
  identifierHash: string;
  now: number;
}

export const findLink = statement<LinkName, { value: string }>(
  'SELECT value FROM user_verifications WHERE identifier_hash = :identifierHash AND expires_at > :now',
);

/** Deletes a link that has not expired. */
export const takeLink = statement<LinkName, { value: string }>(
  `DELETE FROM user_verifications WHERE identifier_hash = :identifierHash AND expires_at > :now
   RETURNING value`,
);

/** What the operator says about the marketplace, at the first start or later. */
export interface Marketplace {
  name: string;
  /** An IANA name. */
  time_zone: string;
  /** An ISO 4217 code. */
  currency: string;
}

const MARKETPLACE = 1;

export const findMarketplace = statement<unknown, Marketplace>(
  `SELECT name, time_zone, currency FROM marketplace WHERE id = ${MARKETPLACE}`,
);

/** Two transactions that do so wait for each other, also before there is a row. */
export const upsertMarketplace = statement<Marketplace & { now: number }, never>(
  `INSERT INTO marketplace (id, name, time_zone, currency, created_at)
   VALUES (${MARKETPLACE}, :name, :time_zone, :currency, :now)
   ON CONFLICT (id) DO UPDATE SET
     name = excluded.name, time_zone = excluded.time_zone, currency = excluded.currency`,
);

import { statement } from '../../database/statement.ts';

/** The stored token of a link, and the present time. */
interface Link {
  identifierHash: string;
  now: number;
}

/** Finds the email that a link confirms, unless it expired, and whether a user has the email (1 or 0). */
export const findConfirmedEmail = statement<Link, { email: string; has_account: number }>(
  `SELECT v.value AS email, CASE WHEN u.id IS NULL THEN 0 ELSE 1 END AS has_account
   FROM user_verifications v LEFT JOIN console_users u ON u.email = v.value
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now`,
);

/** Deletes a link, unless it expired, and returns its email. */
export const takeConfirmedEmail = statement<Link, { email: string }>(
  `DELETE FROM user_verifications WHERE identifier_hash = :identifierHash AND expires_at > :now
   RETURNING value AS email`,
);

export const deleteExpiredLinks = statement<{ now: number }, never>(
  'DELETE FROM user_verifications WHERE expires_at <= :now',
);

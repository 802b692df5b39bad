import { statement } from '../../database/database.ts';
import type { UserRow } from '../users/queries.ts';

/** `has_password` is 0 or 1. */
export const findMember = statement<
  { merchantId: number; userId: string },
  UserRow & { has_password: number }
>(
  `SELECT u.id, u.merchant_id, u.name, u.email, u.role,
     CASE WHEN a.password_hash IS NULL THEN 0 ELSE 1 END AS has_password
   FROM console_users u LEFT JOIN console_accounts a ON a.user_id = u.id
   WHERE u.merchant_id = :merchantId AND u.id = :userId`,
);

/** `required` is 0 or 1. */
export const setTwoFactorRequirement = statement<{ merchantId: number; required: number }, never>(
  'UPDATE merchants SET requires_two_factor = :required WHERE id = :merchantId',
);

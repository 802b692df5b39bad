import { describeUser, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import type { Connection } from '../../database/database.ts';
import { deleteMailsOfUser } from '../../mail/queries.ts';
import { findUser, InvalidUser } from './add-user.ts';
import {
  deletePasswordOfUser,
  deleteSessionsOfUser,
  deleteTwoFactorOfUser,
  deleteUser,
  deleteVerificationsOfUser,
} from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';

/**
 * Removes a merchant's user, inside a transaction: ends their sessions, invalidates links to set a password, and frees
 * the email. Keeps what the user created and the audit log. Resolves to the email.
 * @throws {InvalidUser} with the field `email` if the merchant has no user with this email, and with the field `role` if
 *   the user is the only owner of a merchant with other users
 */
export async function removeUser(
  connection: Connection,
  { merchantId, email, who = OPERATOR }: { merchantId: number; email: string; who?: string },
  now: number,
): Promise<string> {
  const user = await findUser(connection, email);
  if (user === undefined || user.merchant_id !== merchantId) {
    throw new InvalidUser('email', `The merchant has no user with the email ${email}.`);
  }
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'removed');
  const deletions = [
    deleteSessionsOfUser,
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteVerificationsOfUser,
    deleteMailsOfUser,
    deleteUser,
  ];
  for (const deletion of deletions) await connection.run(deletion, { userId: user.id });
  const entry = { merchantId, who, subject: describeUser(user) };
  await recordAudit(connection, { ...entry, action: 'user.removed' }, now);
  return user.email;
}

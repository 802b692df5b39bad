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

/**
 * Removes a merchant's user, inside a transaction: ends their sessions, invalidates links to set a password, and frees
 * the email. Keeps what the user created and the audit log. Resolves to the email.
 * @throws {InvalidUser} if the merchant has no user with this email
 */
export async function removeUser(
  connection: Connection,
  { merchantId, email }: { merchantId: number; email: string },
  now: number,
): Promise<string> {
  const user = await findUser(connection, email);
  if (user === undefined || user.merchant_id !== merchantId) {
    throw new InvalidUser('email', `The merchant has no user with the email ${email}.`);
  }
  const deletions = [
    deleteSessionsOfUser,
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteVerificationsOfUser,
    deleteMailsOfUser,
    deleteUser,
  ];
  for (const deletion of deletions) await connection.run(deletion, { userId: user.id });
  const entry = { merchantId, who: OPERATOR, subject: describeUser(user) };
  await recordAudit(connection, { ...entry, action: 'user.removed' }, now);
  return user.email;
}

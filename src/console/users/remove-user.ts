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
 * Ends the user's sessions, invalidates their links, and frees the email, to which it resolves. Keeps the
 * audit log.
 * @throws {InvalidUser} `email`: the merchant has no such user; `role`: its only owner, while others remain
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

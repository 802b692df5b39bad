import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { deleteMailsOfUser } from '../mail/queries.ts';
import { normalizeEmail } from './add-user.ts';
import { deleteIdentitiesOfUser } from './identity-queries.ts';
import {
  deletePasswordOfUser,
  deleteTwoFactorOfUser,
  deleteUser,
  deleteVerificationsOfUser,
  findUserByEmail,
} from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import { deleteSessionsOfUser } from './session-queries.ts';

/**
 * Ends the user's sessions, invalidates their links, and frees the email, to which it resolves. Keeps the
 * audit log.
 * @throws {DomainError} `user_not_found`; `only_owner` if the merchant has other users
 */
export async function removeUser(
  { connection, merchantId, who, now }: WriteContext,
  { email }: { email: string },
): Promise<string> {
  const user = await connection.first(findUserByEmail, { email: normalizeEmail(email) });
  if (user === undefined || user.merchant_id !== merchantId) throw errors.user_not_found(email);
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'removed');
  const deletions = [
    deleteSessionsOfUser,
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteIdentitiesOfUser,
    deleteVerificationsOfUser,
    deleteMailsOfUser,
    deleteUser,
  ];
  for (const deletion of deletions) await connection.run(deletion, { userId: user.id });
  const entry = { action: 'user.removed', subject: describeUser(user) } as const;
  recordAudit({ connection, merchantId, who, now }, entry);
  return user.email;
}

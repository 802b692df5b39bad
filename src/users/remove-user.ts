import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { deleteMailsOfMember, deleteMailsOfUser } from '../mail/queries.ts';
import { normalizeEmail } from './add-user.ts';
import { deleteIdentitiesOfUser } from './identity-queries.ts';
import { deleteMembership, findUserByEmail } from './membership-queries.ts';
import { deletePasskeysOfUser } from './passkey-queries.ts';
import {
  deleteLinksOfInvitation,
  deletePasswordOfUser,
  deletePersonWithoutShop,
  deleteTwoFactorOfUser,
  deleteVerificationsOfUser,
  lockPerson,
} from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import { deleteSessionsOfUser } from './session-queries.ts';

/**
 * Takes a user out of the merchant's console at once, and resolves to the email. The person's sessions go on
 * in another shop; without one, the person is deleted with all sessions and links, and the email is free.
 * Keeps the audit log.
 * @throws {DomainError} `user_not_found`; `only_owner` if the merchant has other users
 */
export async function removeUser(
  { connection, merchantId, who, now }: WriteContext,
  { email }: { email: string },
): Promise<string> {
  const user = await connection.first(findUserByEmail, { merchantId, email: normalizeEmail(email) });
  if (user === undefined) throw errors.user_not_found(email);
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'removed');
  const { id: userId, membership_id: membershipId } = user;
  await connection.run(lockPerson, { userId });
  await connection.run(deleteMembership, { membershipId });
  await connection.run(deleteLinksOfInvitation, { membershipId });
  await connection.run(deleteMailsOfMember, { userId, merchantId });
  if ((await connection.run(deletePersonWithoutShop, { userId })) === 1) {
    const deletions = [
      deleteSessionsOfUser,
      deleteTwoFactorOfUser,
      deletePasswordOfUser,
      deleteIdentitiesOfUser,
      deletePasskeysOfUser,
      deleteVerificationsOfUser,
      deleteMailsOfUser,
    ];
    for (const deletion of deletions) await connection.run(deletion, { userId });
  }
  const entry = { action: 'user.removed', subject: describeUser(user) } as const;
  recordAudit({ connection, merchantId, who, now }, entry);
  return user.email;
}

import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { endRoleByClaim } from './identity-queries.ts';
import { endByClaim, type UserRow, updateRole } from './membership-queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import type { Role } from './role.ts';

/**
 * Resolves to the user with the role. Repeating it changes nothing. From now on, the membership needs no
 * claim of an identity provider, and the role none unless other shops of the person may rely on it.
 * @throws {DomainError} `invalid_fields` if the user is the merchant's only owner
 */
export async function changeRole(
  context: WriteContext,
  { user, role }: { user: UserRow; role: Role },
): Promise<UserRow> {
  const { connection, merchantId } = context;
  await connection.run(endRoleByClaim, { userId: user.id, merchantId });
  await connection.run(endByClaim, { membershipId: user.membership_id });
  if (user.role === role) return user;
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'changed');
  await connection.run(updateRole, { membershipId: user.membership_id, role });
  const subject = `${describeUser(user)}, now ${role}`;
  recordAudit(context, { action: 'user.role_changed', subject });
  return { ...user, role };
}

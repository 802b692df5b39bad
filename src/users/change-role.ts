import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { setRoleByClaim } from './identity-queries.ts';
import { type UserRow, updateRole } from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import type { Role } from './role.ts';

/**
 * Resolves to the user with the role, which needs no claim of an identity provider from now on. Repeating it
 * changes nothing.
 * @throws {DomainError} `invalid_fields` if the user is the merchant's only owner
 */
export async function changeRole(
  context: WriteContext,
  { user, role }: { user: UserRow; role: Role },
): Promise<UserRow> {
  const { connection, now } = context;
  await connection.run(setRoleByClaim, { userId: user.id, byClaim: 0 });
  if (user.role === role) return user;
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'changed');
  await connection.run(updateRole, { userId: user.id, role, now });
  const subject = `${describeUser(user)}, now ${role}`;
  recordAudit(context, { action: 'user.role_changed', subject });
  return { ...user, role };
}

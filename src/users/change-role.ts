import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { type UserRow, updateRole } from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import type { Role } from './role.ts';

/**
 * Resolves to the user with the role. Repeating it changes nothing.
 * @throws {DomainError} `invalid_fields` if the user is the merchant's only owner
 */
export async function changeRole(
  context: WriteContext,
  { user, role }: { user: UserRow; role: Role },
): Promise<UserRow> {
  const { connection, now } = context;
  if (user.role === role) return user;
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'changed');
  await connection.run(updateRole, { userId: user.id, role, now });
  const subject = `${describeUser(user)}, now ${role}`;
  recordAudit(context, { action: 'user.role_changed', subject });
  return { ...user, role };
}

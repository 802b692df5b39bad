import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Connection } from '../../database/database.ts';
import { type UserRow, updateRole } from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';
import type { Role } from './role.ts';

/**
 * Repeating it changes nothing.
 * @throws {DomainError} `invalid_fields` if the user is the merchant's only owner
 */
export async function changeRole(
  connection: Connection,
  user: UserRow,
  role: Role,
  { who, now }: { who: string; now: number },
): Promise<void> {
  if (user.role === role) return;
  if (user.role === 'owner') await requireOtherOwner(connection, user, 'changed');
  await connection.run(updateRole, { userId: user.id, role, now });
  const subject = `${describeUser(user)}, now ${role}`;
  const context = { connection, merchantId: user.merchant_id, who, now };
  await recordAudit(context, { action: 'user.role_changed', subject });
}

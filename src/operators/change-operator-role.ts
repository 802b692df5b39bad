import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { setRoleByClaim } from '../users/identity-queries.ts';
import { requireOperator } from './find-operator.ts';
import { lockOperators, type OperatorRow, updateOperatorRole } from './queries.ts';
import { requireOtherAdmin } from './require-admin.ts';
import type { OperatorRole } from './role.ts';

/**
 * Resolves to the operator with the role, which needs no claim of an identity provider from now on. Repeating
 * it changes nothing.
 * @throws {DomainError} `invalid_fields` if the operator is the only admin
 */
export async function changeOperatorRole(
  context: WriteContext,
  { operator, role }: { operator: OperatorRow; role: OperatorRole },
): Promise<OperatorRow> {
  const { connection, now } = context;
  await connection.run(setRoleByClaim, { userId: operator.id, byClaim: 0 });
  if (operator.role === role) return operator;
  if (operator.role === 'admin') await requireOtherAdmin(connection, operator, 'changed');
  await connection.run(updateOperatorRole, { id: operator.id, role, now });
  recordAudit(context, { action: 'user.role_changed', subject: `${describeUser(operator)}, now ${role}` });
  return { ...operator, role };
}

/**
 * Changes the role of the operator with an email.
 * @throws {DomainError} `operator_not_found`, and as `changeOperatorRole`
 */
export async function changeOperator(
  context: WriteContext,
  { email, role }: { email: string; role: OperatorRole },
): Promise<OperatorRow> {
  await context.connection.run(lockOperators);
  const operator = await requireOperator(context.connection, email);
  return await changeOperatorRole(context, { operator, role });
}

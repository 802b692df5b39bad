import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { deleteIdentitiesOfUser } from '../users/identity-queries.ts';
import { deletePasskeysOfUser } from '../users/passkey-queries.ts';
import { deletePasswordOfUser, deleteTwoFactorOfUser, deleteVerificationsOfUser } from '../users/queries.ts';
import { deleteSessionsOfUser } from '../users/session-queries.ts';
import { requireOperator } from './find-operator.ts';
import { deleteOperator, lockOperators } from './queries.ts';
import { requireOtherAdmin } from './require-admin.ts';

/**
 * Ends the operator's sessions, invalidates their links, and frees the email, to which it resolves. Keeps the
 * audit log.
 * @throws {DomainError} `operator_not_found`; `only_admin` if there are other operators
 */
export async function removeOperator(context: WriteContext, { email }: { email: string }): Promise<string> {
  const { connection } = context;
  await connection.run(lockOperators);
  const operator = await requireOperator(connection, email);
  if (operator.role === 'admin') await requireOtherAdmin(connection, operator, 'removed');
  const { id } = operator;
  for (const deletion of [
    deleteSessionsOfUser,
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteIdentitiesOfUser,
    deletePasskeysOfUser,
    deleteVerificationsOfUser,
  ])
    await connection.run(deletion, { userId: id });
  await connection.run(deleteOperator, { id });
  recordAudit(context, { action: 'user.removed', subject: describeUser(operator) });
  return operator.email;
}

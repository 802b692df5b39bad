import type { Connection } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { countOtherAdmins, findCanSignIn, lockOperators, type OperatorRow } from './queries.ts';

/**
 * Throws unless there is another admin when an operator is added, changed or removed: one who can sign in, if
 * this one can, so that an open invitation is not all that is left. The last operator can be removed. Locks
 * all operators, so that two admins cannot remove each other at once.
 * @throws {DomainError} `only_admin` for a removal, otherwise `invalid_fields`
 */
export async function requireOtherAdmin(
  connection: Connection,
  { id, email }: OperatorRow,
  change: 'added' | 'changed' | 'removed',
): Promise<void> {
  await connection.run(lockOperators);
  const others = await connection.first(countOtherAdmins, { id });
  const canSignIn = (await connection.first(findCanSignIn, { id }))?.can_sign_in === 1;
  const left = canSignIn ? others?.can_sign_in : others?.admins;
  if ((left ?? 0) > 0 || (change === 'removed' && others?.operators === 0)) return;
  if (change === 'removed') throw errors.only_admin(email);
  const reason =
    change === 'added' ? 'The first operator must be an admin.' : errors.only_admin(email).message;
  throw errors.invalid_fields([{ field: 'role', reason }]);
}

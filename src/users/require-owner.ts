import type { Connection } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { errors } from '../errors/errors.ts';
import { countOtherUsers, type UserRow } from './membership-queries.ts';

/**
 * Throws unless the merchant keeps an owner after this user is added, changed or removed; its last user can
 * be removed. Locks the merchant, so that two owners cannot remove each other at once.
 * @throws {DomainError} `only_owner` for a removal, otherwise `invalid_fields`
 */
export async function requireOtherOwner(
  connection: Connection,
  { id: userId, merchant_id: merchantId, email }: UserRow,
  change: 'added' | 'changed' | 'removed',
): Promise<void> {
  await connection.run(lockMerchant, { merchantId });
  const others = await connection.first(countOtherUsers, { merchantId, userId });
  if ((others?.owners ?? 0) > 0 || (change === 'removed' && others?.users === 0)) return;
  if (change === 'removed') throw errors.only_owner(email);
  const reason =
    change === 'added' ? 'The first user of a merchant must be an owner.' : errors.only_owner(email).message;
  throw errors.invalid_fields([{ field: 'role', reason }]);
}

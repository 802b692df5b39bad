import type { Connection } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { InvalidUser } from './add-user.ts';
import { countOtherUsers, type UserRow } from './queries.ts';

/**
 * Throws unless the merchant keeps an owner after this user is added, changed or removed; its last user can
 * be removed. Locks the merchant, so that two owners cannot remove each other at once.
 * @throws {InvalidUser} with the field `role`
 */
export async function requireOtherOwner(
  connection: Connection,
  { id: userId, merchant_id: merchantId, email }: UserRow,
  change: 'added' | 'changed' | 'removed',
): Promise<void> {
  await connection.run(lockMerchant, { merchantId });
  const others = await connection.first(countOtherUsers, { merchantId, userId });
  if ((others?.owners ?? 0) > 0 || (change === 'removed' && others?.users === 0)) return;
  throw new InvalidUser(
    'role',
    change === 'added'
      ? 'The first user of a merchant must be an owner.'
      : `${email} is the only owner. Make another user an owner first.`,
  );
}

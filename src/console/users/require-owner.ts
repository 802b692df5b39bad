import type { Connection } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { InvalidUser } from './add-user.ts';
import { countOtherUsers, type UserRow } from './queries.ts';

/**
 * Throws unless a merchant with users still has an owner after this user is `added` with another role, is no longer an owner,
 * or is `removed`, which is possible for the last user. Locks the merchant, so that two owners cannot remove each other
 * simultaneously.
 * @throws {InvalidUser} with the field `role` if the merchant has no other owner
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

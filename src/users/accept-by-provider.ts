import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { endSeenPassword } from './end-password.ts';
import {
  acceptMembership,
  findLastShop,
  findUserOfPerson,
  insertMembership,
  markByClaim,
  type UserRow,
} from './membership-queries.ts';
import { deleteLinksOfInvitation, lockPerson, renamePerson } from './queries.ts';

/**
 * Accepts the invitation of a person whom an identity provider has signed in. A password that an owner may
 * know ends, because it must not open this shop.
 */
export async function acceptByProvider(context: WriteContext, user: UserRow): Promise<void> {
  const { connection, now } = context;
  const { id: userId, membership_id: membershipId, name } = user;
  await connection.run(lockPerson, { userId });
  const isFirstShop = (await connection.first(findLastShop, { userId })) === undefined;
  if ((await connection.run(acceptMembership, { membershipId, now })) === 0) return;
  await connection.run(deleteLinksOfInvitation, { membershipId });
  if (isFirstShop) await connection.run(renamePerson, { userId, name, now });
  await endSeenPassword(context, { userId });
  recordAudit(context, { action: 'user.joined', subject: null });
}

/**
 * Makes a person a user of the merchant, because an identity provider says so. A password that an owner may
 * know ends as in `acceptByProvider`.
 */
export async function joinByProvider(
  context: WriteContext,
  user: Pick<UserRow, 'id' | 'name' | 'email' | 'role'>,
): Promise<UserRow> {
  const { connection, merchantId, now } = context;
  const { id: userId, name, role } = user;
  await connection.run(lockPerson, { userId });
  const existing = await connection.first(findUserOfPerson, { userId, merchantId });
  if (existing !== undefined) return existing;
  const id = randomUUIDv7();
  await connection.run(insertMembership, { id, userId, merchantId, role, name, acceptedAt: now, now });
  await connection.run(markByClaim, { membershipId: id });
  await endSeenPassword(context, { userId });
  return { ...user, membership_id: id, merchant_id: merchantId, accepted: 1 };
}

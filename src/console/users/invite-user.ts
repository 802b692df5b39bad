import { describeUser, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import { BudgetExceeded, type Budgets } from '../../budgets/budgets.ts';
import type { Connection } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { addUser, findUser, InvalidUser, type NewUser } from './add-user.ts';
import { addPasswordToken } from './password-link.ts';
import {
  countUsersOfMerchant,
  deleteTwoFactorOfUser,
  disableTwoFactorOfUser,
  type UserRow,
} from './queries.ts';

/**
 * Creates a user of a merchant inside a transaction, unless the merchant already has a user with this email. Resolves
 * to the user, and to the token with which that user sets a password.
 * @throws {InvalidUser} for an invalid name or email, or an email of another merchant's user
 * @throws {BudgetExceeded} if the merchant has too many users
 */
export async function inviteUser(
  connection: Connection,
  {
    merchantId,
    email,
    name,
    resetTwoFactor = false,
  }: Omit<NewUser, 'passwordHash'> & { resetTwoFactor?: boolean },
  { budgets, now }: { budgets: Budgets; now: number },
): Promise<{ token: string; isNew: boolean; user: UserRow }> {
  const existing = await findUser(connection, email);
  if (existing !== undefined && existing.merchant_id !== merchantId) {
    throw new InvalidUser('email', `${existing.email} belongs to a user of another merchant.`);
  }
  if (existing === undefined) await requireUsersLeft(connection, merchantId, { budgets, now });
  const user = existing ?? (await addUser(connection, { merchantId, email, name }, now));
  if (resetTwoFactor) {
    await connection.run(disableTwoFactorOfUser, { userId: user.id, now });
    await connection.run(deleteTwoFactorOfUser, { userId: user.id });
  }
  const token = await addPasswordToken(connection, user, now);
  const entry = { merchantId, who: OPERATOR, subject: describeUser(user) };
  await recordAudit(connection, { ...entry, action: 'user.invited' }, now);
  if (resetTwoFactor) await recordAudit(connection, { ...entry, action: 'user.two_factor_disabled' }, now);
  return { token, isNew: existing === undefined, user };
}

async function requireUsersLeft(
  connection: Connection,
  merchantId: number,
  { budgets: { users: limit }, now }: { budgets: Budgets; now: number },
): Promise<void> {
  if (limit === null) return;
  await connection.run(lockMerchant, { merchantId });
  const row = await connection.first(countUsersOfMerchant, { merchantId });
  if ((row?.users ?? 0) < limit) return;
  const advice = `Remove a user first, or raise the limit with the setting BUDGETS, for example BUDGETS=users=${2 * limit}.`;
  throw new BudgetExceeded('users', limit, { now, advice });
}

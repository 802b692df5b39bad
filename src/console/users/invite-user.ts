import { describeUser, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import { BudgetExceeded, type Budgets } from '../../budgets/budgets.ts';
import type { Connection } from '../../database/database.ts';
import { claimMerchant } from '../../merchants/queries.ts';
import { addUser, findUser, type NewUser, UserRefused } from './add-user.ts';
import { addPasswordToken } from './password-link.ts';
import { countUsersOfMerchant, deleteTwoFactorOfUser, disableTwoFactorOfUser } from './queries.ts';

/**
 * Makes a user of a merchant, or takes the one with that address, and gives the token by which they set
 * their password; in a transaction under way.
 * @throws {UserRefused} where the address is another merchant's user's, or none
 * @throws {BudgetExceeded} if the merchant has as many users as it may have
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
): Promise<{ token: string; isNew: boolean }> {
  const known = await findUser(connection, email);
  if (known !== undefined && known.merchant_id !== merchantId) {
    throw new UserRefused('email', `${known.email} belongs to a user of another merchant.`);
  }
  if (known === undefined) await requireUserRoom(connection, merchantId, { budgets, now });
  const user = known ?? (await addUser(connection, { merchantId, email, name }, now));
  if (resetTwoFactor) {
    await connection.run(disableTwoFactorOfUser, { userId: user.id, now });
    await connection.run(deleteTwoFactorOfUser, { userId: user.id });
  }
  const token = await addPasswordToken(connection, user, now);
  const entry = { merchantId, who: OPERATOR, subject: describeUser(user) };
  await recordAudit(connection, { ...entry, action: 'user.invited' }, now);
  if (resetTwoFactor) await recordAudit(connection, { ...entry, action: 'user.two_factor_disabled' }, now);
  return { token, isNew: known === undefined };
}

async function requireUserRoom(
  connection: Connection,
  merchantId: number,
  { budgets: { users: limit }, now }: { budgets: Budgets; now: number },
): Promise<void> {
  if (limit === null) return;
  await connection.run(claimMerchant, { merchantId });
  const row = await connection.first(countUsersOfMerchant, { merchantId });
  if ((row?.users ?? 0) < limit) return;
  const advice = `Remove a user first, or allow more with the setting BUDGETS, such as BUDGETS=users=${2 * limit}.`;
  throw new BudgetExceeded('users', limit, { now, advice });
}

import { describeUser, OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import { BudgetExceeded, type Budgets } from '../../budgets/budgets.ts';
import type { Connection } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { addUser, findUser, invalidEmail, type NewUser } from './add-user.ts';
import { changeRole } from './change-role.ts';
import { addPasswordToken } from './password-link.ts';
import {
  countUsersOfMerchant,
  deleteTwoFactorOfUser,
  disableTwoFactorOfUser,
  type UserRow,
} from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';

export interface InvitedUser extends Omit<NewUser, 'passwordHash'> {
  resetTwoFactor?: boolean;
  /** For the audit log; the operator if omitted. */
  who?: string;
}

/**
 * Adds a user, unless the merchant has one with this email, who keeps the name and, if none is given, the
 * role. Resolves to the user and a token that sets a password.
 * @throws {DomainError} `invalid_fields` for an invalid name or email, another merchant's user, or no owner
 *   left
 * @throws {BudgetExceeded} if the merchant has too many users
 */
export async function inviteUser(
  connection: Connection,
  { merchantId, email, name, role, resetTwoFactor = false, who = OPERATOR }: InvitedUser,
  { budgets, now }: { budgets: Budgets; now: number },
): Promise<{ token: string; isNew: boolean; user: UserRow }> {
  const existing = await findUser(connection, email);
  if (existing !== undefined && existing.merchant_id !== merchantId) {
    throw invalidEmail(`${existing.email} belongs to a user of another merchant.`);
  }
  if (existing === undefined) await requireUsersLeft(connection, merchantId, { budgets, now, who });
  else if (role !== undefined) await changeRole(connection, existing, role, { who, now });
  const user =
    existing ?? (await addUser(connection, { merchantId, email, name, ...(role && { role }) }, now));
  if (existing === undefined && user.role !== 'owner') await requireOtherOwner(connection, user, 'added');
  if (resetTwoFactor) {
    await connection.run(disableTwoFactorOfUser, { userId: user.id, now });
    await connection.run(deleteTwoFactorOfUser, { userId: user.id });
  }
  const token = await addPasswordToken(connection, user, now);
  const context = { connection, merchantId, who, now };
  const subject = describeUser(user);
  await recordAudit(context, { action: 'user.invited', subject });
  if (resetTwoFactor) await recordAudit(context, { action: 'user.two_factor_disabled', subject });
  return { token, isNew: existing === undefined, user };
}

async function requireUsersLeft(
  connection: Connection,
  merchantId: number,
  { budgets: { users: limit }, now, who }: { budgets: Budgets; now: number; who: string },
): Promise<void> {
  if (limit === null) return;
  await connection.run(lockMerchant, { merchantId });
  const row = await connection.first(countUsersOfMerchant, { merchantId });
  if ((row?.users ?? 0) < limit) return;
  const raise =
    who === OPERATOR
      ? `raise the limit with the setting BUDGETS, for example BUDGETS=users=${2 * limit}`
      : 'ask your marketplace operator to raise the limit';
  const advice = `Remove a user first, or ${raise}.`;
  throw new BudgetExceeded('users', limit, { now, advice });
}

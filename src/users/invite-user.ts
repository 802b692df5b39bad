import { describeUser, isByOperator, recordAudit } from '../audit/record-audit.ts';
import { BudgetExceeded, type Budgets } from '../budgets/budgets.ts';
import type { Config } from '../config.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { queueMail } from '../mail/new-mail.ts';
import { addInvitedUser, type NewUser, parseEmail } from './add-user.ts';
import { changeRole } from './change-role.ts';
import { countUsersOfMerchant, findUserByEmail, type UserRow } from './membership-queries.ts';
import { deletePasskeySessionsOfUser, deletePasskeysOfUser } from './passkey-queries.ts';
import {
  addInvitationToken,
  addPasswordToken,
  consoleUrl,
  LINK_LIFETIME_MS,
  passwordLink,
} from './password-link.ts';
import { deleteTwoFactorOfUser, disableTwoFactorOfUser } from './queries.ts';
import { requireOtherOwner } from './require-owner.ts';

/** What invitations need in addition to `WriteContext`. */
export interface InvitationNeeds {
  budgets: Budgets;
  consoleUrl: string;
  sendsMail: boolean;
}

/** With `publicUrl`, links begin with it. */
export function invitationNeeds(
  config: Pick<Config, 'budgets' | 'publicUrl' | 'host' | 'port' | 'mail'>,
): InvitationNeeds {
  return { budgets: config.budgets, consoleUrl: consoleUrl(config), sendsMail: config.mail !== null };
}

export interface InvitedUser extends Omit<NewUser, 'passwordHash'> {
  /** Has no effect on a user who has not accepted the invitation. */
  resetTwoFactor?: boolean;
}

export interface Invitation {
  isNew: boolean;
  user: UserRow;
  /** The page on which the user sets a password, or accepts the invitation if the person has one. */
  link: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Whether the user gets a mail with another link. */
  isMailed: boolean;
}

/**
 * Adds a user, unless the merchant has one with this email, who keeps the name and, if none is given, the
 * role. A user who has accepted gets a link to set another password. All invitations are created here.
 * @throws {DomainError} `invalid_fields` for an invalid name or email, or no owner left
 * @throws {BudgetExceeded} if the merchant has too many users
 */
export async function inviteUser(
  context: WriteContext & InvitationNeeds,
  { email, name, role, resetTwoFactor = false }: InvitedUser,
): Promise<Invitation> {
  const { connection, merchantId, now } = context;
  const existing = await connection.first(findUserByEmail, { merchantId, email: parseEmail(email) });
  if (existing === undefined) await requireUsersLeft(context);
  let user = existing ?? (await addInvitedUser(context, { email, name, role }));
  if (existing !== undefined && role !== undefined) user = await changeRole(context, { user, role });
  if (existing === undefined && user.role !== 'owner') await requireOtherOwner(connection, user, 'added');
  const isReset = resetTwoFactor && user.accepted === 1;
  if (isReset) {
    await connection.run(disableTwoFactorOfUser, { userId: user.id, now });
    await connection.run(deleteTwoFactorOfUser, { userId: user.id });
    // What another session adds until the link is used ends then.
    await connection.run(deletePasskeysOfUser, { userId: user.id });
    await connection.run(deletePasskeySessionsOfUser, { userId: user.id });
  }
  // Without a mail server, an owner passes the link on.
  const isSeen = !context.sendsMail && !isByOperator(context.who);
  const token =
    user.accepted === 1
      ? await addPasswordToken(connection, user, now)
      : await addInvitationToken(connection, user, now, { isSeen });
  const subject = describeUser(user);
  recordAudit(context, { action: 'user.invited', subject });
  if (isReset) recordAudit(context, { action: 'user.two_factor_disabled', subject });
  if (context.sendsMail) {
    const { id: userId, email: address } = user;
    await queueMail(connection, { kind: 'invitation', merchantId, userId, address, data: {} });
  }
  return {
    isNew: existing === undefined,
    user,
    link: passwordLink(context.consoleUrl, token),
    expiresAt: now + LINK_LIFETIME_MS,
    isMailed: context.sendsMail,
  };
}

/** Locks the merchant. @throws {BudgetExceeded} if it has too many users for another one */
export async function requireUsersLeft({
  connection,
  merchantId,
  who,
  now,
  budgets: { users: limit },
}: WriteContext & Pick<InvitationNeeds, 'budgets'>): Promise<void> {
  if (limit === null) return;
  await connection.run(lockMerchant, { merchantId });
  if (limit === null) return;
  const row = await connection.first(countUsersOfMerchant, { merchantId });
  if ((row?.users ?? 0) < limit) return;
  const raise = isByOperator(who)
    ? `raise the limit with the setting BUDGETS, for example BUDGETS=users=${2 * limit}`
    : 'ask your marketplace operator to raise the limit';
  const advice = `Remove a user first, or ${raise}.`;
  throw new BudgetExceeded('users', limit, { now, advice });
}

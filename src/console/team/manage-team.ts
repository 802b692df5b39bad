import { recordAudit } from '../../audit/record-audit.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { setTwoFactorRequirement } from '../../merchants/queries.ts';
import { invalidEmail, parseEmail } from '../../users/add-user.ts';
import { changeRole } from '../../users/change-role.ts';
import { type Invitation, type InvitationNeeds, inviteUser } from '../../users/invite-user.ts';
import {
  findMember,
  findUserByEmail,
  findUserOfPerson,
  type UserRow,
} from '../../users/membership-queries.ts';
import { removeUser } from '../../users/remove-user.ts';
import type { Role } from '../../users/role.ts';
import { consoleErrors } from '../errors.ts';

/** An owner changes the team. */
export interface TeamNeeds {
  ownerId: string;
}

type Context = WriteContext & TeamNeeds;

// Each verb runs while the caller is still an owner, and the team does not change otherwise.

/** @throws {DomainError} as `inviteUser`; `invalid_fields` for the email of a user of the team */
export async function inviteMember(
  context: Context & InvitationNeeds,
  user: { email: string; name: string; role: Role },
): Promise<Invitation> {
  await requireOwner(context);
  const { connection, merchantId } = context;
  const known = await connection.first(findUserByEmail, { merchantId, email: parseEmail(user.email) });
  if (known !== undefined) throw invalidEmail(`${known.email} is already in the team.`);
  return await inviteUser(context, user);
}

/** @throws {DomainError} `missing`; `conflict` for the caller, and for a user who has accepted */
export async function inviteAgain(
  context: Context & InvitationNeeds,
  { id }: { id: string },
): Promise<Invitation> {
  const { email, name, accepted } = await requireOther(context, id);
  // With a link for someone else's password, an owner could sign in as that user.
  if (accepted === 1) throw consoleErrors.conflict(`${email} has already accepted the invitation.`);
  return await inviteUser(context, { email, name });
}

/** @throws {DomainError} `missing`; `conflict` for the caller */
export async function changeMember(
  context: Context,
  { id, role }: { id: string; role: Role },
): Promise<void> {
  await changeRole(context, { user: await requireOther(context, id), role });
}

/** @throws {DomainError} `missing`; `conflict` for the caller */
export async function removeMember(context: Context, { id }: { id: string }): Promise<void> {
  const { email } = await requireOther(context, id);
  await removeUser(context, { email });
}

export async function requireTwoFactor(context: Context, { required }: { required: boolean }): Promise<void> {
  await requireOwner(context);
  const { connection, merchantId } = context;
  if ((await connection.run(setTwoFactorRequirement, { merchantId, required: required ? 1 : 0 })) === 0)
    return;
  const action = required ? 'merchant.two_factor_required' : 'merchant.two_factor_optional';
  recordAudit(context, { action, subject: null });
}

async function requireOwner({ connection, merchantId, ownerId: userId }: Context): Promise<void> {
  await connection.run(lockMerchant, { merchantId });
  const member = await connection.first(findUserOfPerson, { merchantId, userId });
  if (member === undefined) throw consoleErrors.session_required();
  if (member.role !== 'owner')
    throw consoleErrors.role_required('owners', member.role === 'viewer' ? 'a viewer' : 'an editor');
}

async function requireOther(context: Context, id: string): Promise<UserRow> {
  await requireOwner(context);
  const { connection, merchantId, ownerId } = context;
  const member = await connection.first(findMember, { merchantId, membershipId: id });
  if (member === undefined) throw consoleErrors.missing('This user doesn’t exist or was removed.');
  if (member.id === ownerId)
    throw consoleErrors.conflict('Another owner has to change or remove your own account.');
  return member;
}

import { recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { endPassword, endPasswordOfLink, endSeenPassword, hasSeenPassword } from './end-password.ts';
import {
  acceptMembership,
  enterShop,
  findInvited,
  type InvitedRow,
  markShopUsed,
  type UserRow,
} from './membership-queries.ts';
import { hashInvitationToken, hashPasswordToken } from './password-link.ts';
import {
  deleteLinksOfInvitation,
  findAccount,
  findPersonById,
  lockPerson,
  renamePerson,
  replaceVerification,
  setPasswordSeen,
} from './queries.ts';

/** The token of an invitation's link. `signedIn` is the person whose session the browser has, if any. */
export interface InvitationForPassword {
  token: string;
  signedIn: string | undefined;
}

/** The token of an invitation's link, used in a session of the invited person. */
export interface AcceptedInvitation {
  token: string;
  sessionId: string;
  /** Whether an identity provider has signed the person in. */
  byProvider: boolean;
}

/**
 * Accepts an invitation on behalf of a person who sets a password next: the token then sets it, and the
 * person has the name that the invitation says. Of an account that exists, only a password that an owner may
 * know is replaced, and ends here with all sessions: by a link that no owner has seen, or in a session of the
 * person, who keeps the name and the second factor. Otherwise it does nothing: whoever has only the link must
 * not get the account.
 */
export async function acceptBySettingPassword(
  context: WriteContext,
  { token, signedIn }: InvitationForPassword,
): Promise<void> {
  const { connection, now } = context;
  const before = hashInvitationToken(token);
  const user = await findAndLock(context, before);
  if (user === undefined) return;
  const { id: userId, membership_id: membershipId, merchant_id: merchantId, name, seen } = user;
  const hasAccount = (await connection.first(findAccount, { userId })) !== undefined;
  const isSignedIn = signedIn === userId;
  const mayReplace = (isSignedIn || seen === 0) && (await hasSeenPassword(context, userId));
  if (hasAccount && !mayReplace) return;
  if ((await connection.run(acceptMembership, { membershipId, now })) === 0) return;
  if (isSignedIn) await endPassword(context, { userId });
  else {
    await endSeenPassword(context, { userId });
    await connection.run(renamePerson, { userId, name, now });
  }
  if (hasAccount) {
    recordAudit(context, { action: 'user.joined', subject: null });
    await connection.run(markShopUsed, { userId, merchantId, now });
  }
  await connection.run(setPasswordSeen, { userId, seen, now });
  const identifierHash = hashPasswordToken(token);
  await connection.run(replaceVerification, { before, identifierHash, value: userId, now });
  await connection.run(deleteLinksOfInvitation, { membershipId });
}

/**
 * Ends the password before a link sets another one (`endPasswordOfLink`), and stores whether an owner has
 * seen the link. Does nothing for other links.
 */
export async function replacePasswordOfLink(
  context: Pick<WriteContext, 'connection' | 'now'>,
  { token }: { token: string },
): Promise<void> {
  const { connection, now } = context;
  const link = await endPasswordOfLink(context, { token, findUser: findPersonById });
  if (link !== undefined) await connection.run(setPasswordSeen, { ...link, now });
}

/**
 * Accepts an invitation, and takes the session into the shop. A password that an owner may know ends, if an
 * identity provider proves who the person is. Resolves to undefined if the link was used, and to
 * 'needs_password' if the person has to set another one with the link (`acceptBySettingPassword`).
 */
export async function acceptInSession(
  context: WriteContext,
  { token, sessionId, byProvider }: AcceptedInvitation,
): Promise<UserRow | 'needs_password' | undefined> {
  const { connection, merchantId, now } = context;
  const user = await findAndLock(context, hashInvitationToken(token));
  if (user === undefined) return undefined;
  const { id: userId, membership_id: membershipId } = user;
  if (!byProvider && (await hasSeenPassword(context, userId))) return 'needs_password';
  if ((await connection.run(acceptMembership, { membershipId, now })) === 0) return undefined;
  await endSeenPassword(context, { userId, keptSession: sessionId });
  await connection.run(deleteLinksOfInvitation, { membershipId });
  await connection.run(enterShop, { userId, sessionId, merchantId });
  await connection.run(markShopUsed, { userId, merchantId, now });
  recordAudit(context, { action: 'user.joined', subject: null });
  return user;
}

/** Two links of a person never set the password at once: the second waits, and finds an account. */
async function findAndLock(
  { connection, now }: WriteContext,
  identifierHash: string,
): Promise<InvitedRow | undefined> {
  const user = await connection.first(findInvited, { identifierHash, now });
  if (user !== undefined) await connection.run(lockPerson, { userId: user.id });
  return user;
}

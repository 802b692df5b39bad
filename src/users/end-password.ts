import type { Statement } from '../database/statement.ts';
import type { WriteContext } from '../database/write-context.ts';
import { deletePasskeysOfUser } from './passkey-queries.ts';
import { hashPasswordToken } from './password-link.ts';
import {
  deletePasswordOfUser,
  deleteTwoFactorOfUser,
  deleteVerificationsOfUser,
  disableTwoFactorOfUser,
  findPasswordSeen,
  lockLink,
  setPasswordSeen,
} from './queries.ts';
import { deleteOtherSessionsOfUser, deleteSessionsOfUser } from './session-queries.ts';

type Context = Pick<WriteContext, 'connection' | 'now'>;

interface EndedPassword {
  userId: string;
  keptSession?: string | undefined;
}

/**
 * Whether an owner of some shop saw the link that set the person's password, or the person registered without
 * confirming the email. Whoever knows such a password may not be the person.
 */
export async function hasSeenPassword(
  { connection }: Pick<WriteContext, 'connection'>,
  userId: string,
): Promise<boolean> {
  return (await connection.first(findPasswordSeen, { userId }))?.password_seen === 1;
}

/**
 * Ends a password that an owner may know, with its second factor and the person's sessions, except one by an
 * identity provider that proves who the person is.
 */
export async function endSeenPassword(
  context: Context,
  { userId, keptSession }: { userId: string; keptSession?: string },
): Promise<void> {
  if (!(await hasSeenPassword(context, userId))) return;
  const { connection, now } = context;
  await connection.run(disableTwoFactorOfUser, { userId, now });
  await connection.run(deleteTwoFactorOfUser, { userId });
  await endPassword(context, { userId, keptSession });
  await connection.run(setPasswordSeen, { userId, seen: 0, now });
}

/** Ends the person's password, links, passkeys and sessions. Keeps the second factor. */
export async function endPassword(context: Context, ended: EndedPassword): Promise<void> {
  await context.connection.run(deleteVerificationsOfUser, { userId: ended.userId });
  await endPasswordAndPasskeys(context, ended);
}

/**
 * Ends the password, passkeys and sessions of the user of a link that is about to set a password: people who
 * need such a link may have lost control of their account. There is no password until the new one is set, so
 * nobody signs in with the old one in between and adds a passkey. `findUser` finds the users of the realm.
 * Resolves to the user and whether an owner has seen the link; to undefined for other links.
 */
export async function endPasswordOfLink(
  context: Context,
  { token, findUser }: { token: string; findUser: Statement<{ userId: string }, { id: string }> },
): Promise<{ userId: string; seen: number } | undefined> {
  const { connection, now } = context;
  const link = await connection.first(lockLink, { identifierHash: hashPasswordToken(token), now });
  if (link === undefined) return undefined;
  const { value: userId, seen } = link;
  if ((await connection.first(findUser, { userId })) === undefined) return undefined;
  await endPasswordAndPasskeys(context, { userId });
  return { userId, seen };
}

async function endPasswordAndPasskeys(
  { connection }: Context,
  { userId, keptSession }: EndedPassword,
): Promise<void> {
  const endSessions = (): Promise<number> =>
    keptSession === undefined
      ? connection.run(deleteSessionsOfUser, { userId })
      : connection.run(deleteOtherSessionsOfUser, { userId, sessionId: keptSession });
  await connection.run(deletePasswordOfUser, { userId });
  // Before the passkeys, because a session can be adding one; and after, because one can be signing in.
  await endSessions();
  await connection.run(deletePasskeysOfUser, { userId });
  await endSessions();
}

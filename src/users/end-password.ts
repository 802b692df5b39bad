import type { WriteContext } from '../database/write-context.ts';
import { deletePasskeysOfUser } from './passkey-queries.ts';
import {
  deletePasswordOfUser,
  deleteTwoFactorOfUser,
  deleteVerificationsOfUser,
  disableTwoFactorOfUser,
  findPasswordSeen,
  setPasswordSeen,
} from './queries.ts';
import { deleteOtherSessionsOfUser, deleteSessionsOfUser } from './session-queries.ts';

type Context = Pick<WriteContext, 'connection' | 'now'>;

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
export async function endPassword(
  { connection }: Context,
  { userId, keptSession }: { userId: string; keptSession?: string | undefined },
): Promise<void> {
  await connection.run(deletePasswordOfUser, { userId });
  await connection.run(deleteVerificationsOfUser, { userId });
  await connection.run(deletePasskeysOfUser, { userId });
  if (keptSession === undefined) await connection.run(deleteSessionsOfUser, { userId });
  else await connection.run(deleteOtherSessionsOfUser, { userId, sessionId: keptSession });
}

import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import {
  countPasskeysOfUser,
  deleteOtherSessionsOfPasskey,
  deletePasskeyOfUser,
  insertPasskey,
  type NewPasskey,
  renamePasskeyOfUser,
} from '../../users/passkey-queries.ts';
import { lockSession } from '../../users/session-queries.ts';
import { consoleErrors } from '../errors.ts';
import { MAX_PASSKEY_NAME_LENGTH } from './passkey-limits.ts';

const MAX_PASSKEYS = 20;
const GONE = 'This passkey doesn’t exist or was already removed.';

/** Returns the name without spaces at its ends. @throws {DomainError} `invalid_fields` */
export function parsePasskeyName(sent: string): string {
  const name = sent.trim();
  const isValid = name !== '' && name.length <= MAX_PASSKEY_NAME_LENGTH && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  if (isValid) return name;
  const reason = `The name must have 1 to ${MAX_PASSKEY_NAME_LENGTH} characters, all of them visible.`;
  throw errors.invalid_fields([{ field: 'name', reason }]);
}

/**
 * Adds a passkey in a session, which proves that the user still has the password that confirmed it.
 * @throws {DomainError} `session_required` if the session has ended; `conflict` for a passkey that a user has
 * already, or one too many
 */
export async function addPasskey(
  context: WriteContext,
  { sessionId, passkey }: { sessionId: string; passkey: NewPasskey },
): Promise<void> {
  const { connection, now } = context;
  const session = { userId: passkey.userId, sessionId };
  if ((await connection.run(lockSession, session)) === 0) throw consoleErrors.session_required();
  const count = await connection.first(countPasskeysOfUser, { userId: passkey.userId });
  if ((count?.passkeys ?? 0) >= MAX_PASSKEYS)
    throw consoleErrors.conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const added = await connection.run(insertPasskey, { ...passkey, id: randomUUIDv7(), now });
  if (added === 0) throw consoleErrors.conflict('This passkey was already added.');
  recordAudit(context, { action: 'user.passkey_added', subject: passkey.name });
}

/** @throws {DomainError} `missing` if the user has no such passkey */
export async function renamePasskey(
  context: WriteContext,
  passkey: { userId: string; id: string; name: string },
): Promise<void> {
  if ((await context.connection.run(renamePasskeyOfUser, passkey)) === 0) throw consoleErrors.missing(GONE);
  recordAudit(context, { action: 'user.passkey_renamed', subject: passkey.name });
}

/**
 * Ends the sessions that the passkey began, too, because it can be in other hands, except `sessionId`.
 * @throws {DomainError} `missing` if the user has no such passkey
 */
export async function removePasskey(
  context: WriteContext,
  passkey: { userId: string; id: string; sessionId: string },
): Promise<void> {
  const { connection } = context;
  const removed = await connection.first(deletePasskeyOfUser, { userId: passkey.userId, id: passkey.id });
  if (removed === undefined) throw consoleErrors.missing(GONE);
  await connection.run(deleteOtherSessionsOfPasskey, passkey);
  recordAudit(context, { action: 'user.passkey_removed', subject: removed.name });
}

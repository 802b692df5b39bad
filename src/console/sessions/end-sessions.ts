import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { deleteOtherSessionsOfUser, deleteSessionOfUser } from '../../users/session-queries.ts';
import { consoleErrors } from '../errors.ts';

interface SessionOfUser {
  userId: string;
  sessionId: string;
}

/** @throws {DomainError} `missing` if the user has no such session */
export async function endSession(context: WriteContext, session: SessionOfUser): Promise<void> {
  const ended = await context.connection.run(deleteSessionOfUser, session);
  if (ended === 0) throw consoleErrors.missing('This session doesn’t exist or has already ended.');
  await recordEnd(context, ended);
}

/** Ends the user's sessions except this one. */
export async function endOtherSessions(context: WriteContext, session: SessionOfUser): Promise<void> {
  const ended = await context.connection.run(deleteOtherSessionsOfUser, session);
  if (ended > 0) await recordEnd(context, ended);
}

async function recordEnd(context: WriteContext, ended: number): Promise<void> {
  const subject = ended === 1 ? null : `${ended} sessions`;
  recordAudit(context, { action: 'user.session_ended', subject });
}

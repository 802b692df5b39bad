import { statement } from '../../database/database.ts';

/** Lists sessions that have not expired, most recently used first. */
export const listSessionsOfUser = statement<
  { userId: string; now: number },
  { id: string; created_at: number; updated_at: number; user_agent: string | null }
>(
  `SELECT id, created_at, updated_at, user_agent FROM console_sessions
   WHERE user_id = :userId AND expires_at > :now ORDER BY updated_at DESC, id DESC`,
);

interface SessionOfUser {
  userId: string;
  sessionId: string;
}

export const deleteSessionOfUser = statement<SessionOfUser, never>(
  'DELETE FROM console_sessions WHERE user_id = :userId AND id = :sessionId',
);

export const deleteOtherSessionsOfUser = statement<SessionOfUser, never>(
  'DELETE FROM console_sessions WHERE user_id = :userId AND id <> :sessionId',
);

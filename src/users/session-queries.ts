import { statement } from '../database/statement.ts';

/** Lists sessions that have not expired, most recently used first. */
export const listSessionsOfUser = statement<
  { userId: string; now: number },
  { id: string; created_at: number; updated_at: number; user_agent: string | null; by_provider: number }
>(
  `SELECT id, created_at, updated_at, user_agent, by_provider FROM user_sessions
   WHERE user_id = :userId AND expires_at > :now ORDER BY updated_at DESC, id DESC`,
);

interface SessionOfUser {
  userId: string;
  sessionId: string;
}

/** Keeps a session until the transaction ends. Changes nothing if it has ended. */
export const lockSession = statement<SessionOfUser, never>(
  'UPDATE user_sessions SET id = id WHERE user_id = :userId AND id = :sessionId',
);

export const deleteSessionOfUser = statement<SessionOfUser, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId AND id = :sessionId',
);

export const deleteOtherSessionsOfUser = statement<SessionOfUser, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId AND id <> :sessionId',
);

export const deleteExpiredSessions = statement<{ now: number }, never>(
  'DELETE FROM user_sessions WHERE expires_at <= :now',
);

export const deleteSessionByToken = statement<{ tokenHash: string }, never>(
  'DELETE FROM user_sessions WHERE token_hash = :tokenHash',
);

/** Deletes a user's oldest sessions, so that at most `limit` remain. */
export const deleteOldestSessions = statement<{ userId: string; limit: number }, never>(
  `DELETE FROM user_sessions WHERE user_id = :userId AND id NOT IN (
     SELECT id FROM user_sessions WHERE user_id = :userId ORDER BY created_at DESC, id DESC LIMIT :limit)`,
);

/** Deletes a user's sessions except the one with this token. */
export const deleteSessionsExceptToken = statement<{ userId: string; tokenHash: string }, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId AND token_hash <> :tokenHash',
);

export const deleteSessionsOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId',
);

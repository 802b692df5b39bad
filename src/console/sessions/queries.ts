import { statement } from '../../database/database.ts';

/** Parameters: the user, the time. The sessions that have not ended, the last used first. */
export const listSessionsOfUser = statement<{
  id: string;
  created_at: number;
  updated_at: number;
  user_agent: string | null;
}>(
  `SELECT id, created_at, updated_at, user_agent FROM console_sessions
   WHERE user_id = ? AND expires_at > ? ORDER BY updated_at DESC, id DESC`,
);

/** Parameters: the user, the session's id. */
export const deleteSessionOfUser = statement('DELETE FROM console_sessions WHERE user_id = ? AND id = ?');

/** Parameters: the user, the id of the session that stays. */
export const deleteSessionsButOne = statement('DELETE FROM console_sessions WHERE user_id = ? AND id <> ?');

import { statement } from '../../database/database.ts';

/** The newest first: new signatures are made with it, and the older ones only open what they closed. */
export const listSecrets = statement<{ version: number; value: string }>(
  'SELECT version, value FROM console_secrets ORDER BY version DESC',
);

/** Parameters: the version, the secret, the time. Changes nothing where that version is there. */
export const insertSecret = statement(
  `INSERT INTO console_secrets (version, value, created_at) VALUES (?, ?, ?)
   ON CONFLICT (version) DO NOTHING`,
);

/** Parameters: the time. */
export const deleteEndedSessions = statement('DELETE FROM console_sessions WHERE expires_at <= ?');

/** Parameters: the hash of its token. */
export const deleteSessionByToken = statement('DELETE FROM console_sessions WHERE token_hash = ?');

/** Parameters: its id. */
export const deleteSession = statement('DELETE FROM console_sessions WHERE id = ?');

/** Parameters: the user, the hash of the token of the one that stays. */
export const deleteOtherSessions = statement(
  'DELETE FROM console_sessions WHERE user_id = ? AND token_hash <> ?',
);

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

/** Parameters: the hash of the identifier, the time. Whom a link to set a password is for. */
export const findPasswordOwner = statement<{ email: string; name: string; merchant_name: string }>(
  `SELECT u.email, u.name, m.name AS merchant_name FROM console_verifications v
   JOIN console_users u ON u.id = v.value
   JOIN merchants m ON m.id = u.merchant_id
   WHERE v.identifier_hash = ? AND v.expires_at > ?`,
);

/** Parameters: the hash of its token. */
export const deleteSessionByToken = statement('DELETE FROM console_sessions WHERE token_hash = ?');

/** Parameters: its id. */
export const deleteSession = statement('DELETE FROM console_sessions WHERE id = ?');

/** Parameters: the user twice, how many stay. Deletes a user's oldest sessions. */
export const deleteOldestSessions = statement(
  `DELETE FROM console_sessions WHERE user_id = ? AND id NOT IN (
     SELECT id FROM console_sessions WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT ?)`,
);

/** Parameters: the user, the hash of the token of the one that stays. */
export const deleteOtherSessions = statement(
  'DELETE FROM console_sessions WHERE user_id = ? AND token_hash <> ?',
);

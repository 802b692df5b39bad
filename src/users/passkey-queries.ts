import { statement } from '../database/statement.ts';

/** `last_used_at` is null before the first sign-in. */
export interface ListedPasskey {
  id: string;
  name: string;
  rp_id: string;
  created_at: number;
  last_used_at: number | null;
}

/** Oldest first. */
export const listPasskeysOfUser = statement<{ userId: string }, ListedPasskey>(
  `SELECT id, name, rp_id, created_at, last_used_at FROM user_passkeys
   WHERE user_id = :userId ORDER BY created_at, id`,
);

/** `transports` are separated by commas. */
export const listCredentialsOfUser = statement<
  { userId: string; rpId: string },
  { credential_id: string; transports: string }
>('SELECT credential_id, transports FROM user_passkeys WHERE user_id = :userId AND rp_id = :rpId');

export const countPasskeysOfUser = statement<{ userId: string }, { passkeys: number }>(
  'SELECT count(*) AS passkeys FROM user_passkeys WHERE user_id = :userId',
);

/** A new passkey. `realm` is the table of the users. */
export interface NewPasskey {
  realm: string;
  userId: string;
  credentialId: string;
  rpId: string;
  publicKey: Uint8Array;
  signCount: number;
  transports: string;
  name: string;
}

/** Changes nothing if a user of the realm has it already. */
export const insertPasskey = statement<NewPasskey & { id: string; now: number }, never>(
  `INSERT INTO user_passkeys (id, realm, user_id, credential_id, rp_id, public_key, sign_count, transports, name,
     created_at)
   VALUES (:id, :realm, :userId, :credentialId, :rpId, :publicKey, :signCount, :transports, :name, :now)
   ON CONFLICT (realm, credential_id) DO NOTHING`,
);

/** What verifies a sign-in. */
export interface PasskeyRow {
  id: string;
  user_id: string;
  name: string;
  public_key: Uint8Array;
  sign_count: number;
}

export const findPasskey = statement<{ realm: string; credentialId: string }, PasskeyRow>(
  `SELECT id, user_id, name, public_key, sign_count FROM user_passkeys
   WHERE realm = :realm AND credential_id = :credentialId`,
);

/** Changes nothing if it was removed, or was used with another count since it was found. */
export const markPasskeyUsed = statement<
  { id: string; signCount: number; newCount: number; now: number },
  never
>(
  `UPDATE user_passkeys SET sign_count = :newCount, last_used_at = :now
   WHERE id = :id AND sign_count = :signCount`,
);

interface PasskeyOfUser {
  userId: string;
  id: string;
}

export const renamePasskeyOfUser = statement<PasskeyOfUser & { name: string }, never>(
  'UPDATE user_passkeys SET name = :name WHERE user_id = :userId AND id = :id',
);

export const deletePasskeyOfUser = statement<PasskeyOfUser, { name: string }>(
  'DELETE FROM user_passkeys WHERE user_id = :userId AND id = :id RETURNING name',
);

/** Deletes the sessions that a passkey began, except this one. */
export const deleteOtherSessionsOfPasskey = statement<PasskeyOfUser & { sessionId: string }, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId AND passkey_id = :id AND id <> :sessionId',
);

export const deletePasskeysOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_passkeys WHERE user_id = :userId',
);

/** Deletes the sessions that any passkey of the user began. */
export const deletePasskeySessionsOfUser = statement<{ userId: string }, never>(
  'DELETE FROM user_sessions WHERE user_id = :userId AND passkey_id IS NOT NULL',
);

import { statement } from '../../database/database.ts';

export const listSecrets = statement<unknown, { version: number; value: string }>(
  'SELECT version, value FROM console_secrets ORDER BY version DESC',
);

/** Changes nothing if the version exists. */
export const insertSecret = statement<{ version: number; value: string; now: number }, never>(
  `INSERT INTO console_secrets (version, value, created_at) VALUES (:version, :value, :now)
   ON CONFLICT (version) DO NOTHING`,
);

/** Finds the user of a link that sets a password, unless the link expired. */
export const findPasswordOwner = statement<
  { identifierHash: string; now: number },
  { email: string; name: string; merchant_name: string }
>(
  `SELECT u.email, u.name, m.name AS merchant_name FROM user_verifications v
   JOIN console_users u ON u.id = v.value
   JOIN merchants m ON m.id = u.merchant_id
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now`,
);

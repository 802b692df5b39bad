import { statement } from '../../database/statement.ts';

export const listSecrets = statement<unknown, { version: number; value: string }>(
  'SELECT version, value FROM console_secrets ORDER BY version DESC',
);

/** Changes nothing if the version exists. */
export const insertSecret = statement<{ version: number; value: string; now: number }, never>(
  `INSERT INTO console_secrets (version, value, created_at) VALUES (:version, :value, :now)
   ON CONFLICT (version) DO NOTHING`,
);

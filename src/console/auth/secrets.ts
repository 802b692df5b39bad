import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { insertSecret, listSecrets } from './queries.ts';

const SECRET_BYTES = 32;

/** Loads what signs cookies and encrypts two-factor secrets, newest first. Creates the first secret. */
export async function loadSecrets({
  database,
  now,
}: {
  database: Database;
  now: () => number;
}): Promise<{ version: number; value: string }[]> {
  const existing = await database.all(listSecrets);
  if (existing.length > 0) return existing;
  await addSecret({ database, now }, 1);
  return await database.all(listSecrets);
}

/** Adds a secret. Sessions end at the next restart; two-factor authentication keeps working. */
export async function rotateSecret(services: { database: Database; now: () => number }): Promise<number> {
  const [newest] = await services.database.all(listSecrets);
  const version = (newest?.version ?? 0) + 1;
  await addSecret(services, version);
  return version;
}

async function addSecret(
  { database, now }: { database: Database; now: () => number },
  version: number,
): Promise<void> {
  const value = randomBytes(SECRET_BYTES).toString('base64url');
  await database.transaction((connection) => connection.run(insertSecret, { version, value, now: now() }));
}

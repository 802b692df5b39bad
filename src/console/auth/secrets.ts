import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { insertSecret, listSecrets } from './queries.ts';

const SECRET_BYTES = 32;

/** What cookies are signed with and second factors are closed with, newest first; made the first time. */
export async function loadSecrets({
  database,
  now,
}: {
  database: Database;
  now: () => number;
}): Promise<{ version: number; value: string }[]> {
  const known = await database.all(listSecrets);
  if (known.length > 0) return known;
  await addSecret({ database, now }, 1);
  return await database.all(listSecrets);
}

/**
 * Replaces the secret: every session ends when the services start again, and second factors stay.
 * Resolves to the new one's version.
 */
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
  await database.transaction((connection) => connection.run(insertSecret, [version, value, now()]));
}

import type { Database } from '../database/database.ts';
import { parseKeyId } from './key-id.ts';
import { revokeTokensOfKey } from './queries.ts';

/** Revokes a key for good, from the next request on in every process. False if there is no such key. */
export async function revokeKey(
  { database, now }: { database: Database; now: () => number },
  keyId: string,
): Promise<boolean> {
  const key = parseKeyId(keyId);
  if (key === undefined) return false;
  return await database.transaction(
    async (connection) => (await connection.run(revokeTokensOfKey, [now(), key.merchantId, key.id])) > 0,
  );
}

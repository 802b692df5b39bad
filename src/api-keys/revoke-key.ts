import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { parseKeyId } from './key-id.ts';
import { claimKey, findKey, revokeTokensOfKey } from './queries.ts';

/** Revokes a key for good, as the operator, from the next request on in every process. False if there is no such key. */
export async function revokeKey(
  { database, now }: { database: Database; now: () => number },
  keyId: string,
): Promise<boolean> {
  const key = parseKeyId(keyId);
  if (key === undefined) return false;
  return await database.transaction(async (connection) => {
    if (!(await revokeTokens(connection, key, now()))) return false;
    const row = await connection.first(findKey, [key.merchantId, key.id]);
    const entry = { merchantId: key.merchantId, who: OPERATOR, subject: `${keyId} ${row?.name ?? ''}` };
    await recordAudit(connection, { ...entry, action: 'key.revoked' }, now());
    return true;
  });
}

/** As `revokeKey`, inside a transaction under way. */
export async function revokeTokens(
  connection: Connection,
  { merchantId, id }: { merchantId: number; id: number },
  revokedAt: number,
): Promise<boolean> {
  // A token that is being made for the key in another transaction is revoked too: this waits for it.
  if ((await connection.run(claimKey, [merchantId, id])) === 0) return false;
  await connection.run(revokeTokensOfKey, [revokedAt, merchantId, id]);
  return true;
}

import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { recordEvent } from '../events/record-event.ts';
import { formatTime } from '../shared/timestamps.ts';
import { formatKeyId, type KeyNumbers, parseKeyId } from './key-id.ts';
import { findKey, lockKey, revokeTokensOfKey } from './queries.ts';

/**
 * Revokes a key permanently, as the operator: from the next request on, in every process. Resolves to false
 * if there is no such key.
 */
export async function revokeKey(
  { database, now }: { database: Database; now: () => number },
  keyId: string,
): Promise<boolean> {
  const key = parseKeyId(keyId);
  if (key === undefined) return false;
  const { merchantId } = key;
  const options = merchantId === liveSideOf(merchantId) ? { merchantId } : { everyNode: true };
  return await database.transaction((connection) => revokeKeyIn(connection, key, now()), options);
}

/** Like `revokeKey`, inside a transaction. */
export async function revokeKeyIn(connection: Connection, key: KeyNumbers, now: number): Promise<boolean> {
  if (!(await revokeTokens(connection, key, now))) return false;
  const row = await connection.first(findKey, key);
  const merchantId = liveSideOf(key.merchantId);
  const subject = `${formatKeyId(key)} ${row?.name ?? ''}`;
  await recordAudit({ connection, merchantId, who: OPERATOR, now }, { action: 'key.revoked', subject });
  return true;
}

/** Like `revokeKey`, inside a transaction and without an audit entry. */
export async function revokeTokens(
  connection: Connection,
  key: KeyNumbers,
  revokedAt: number,
): Promise<boolean> {
  // Waits for transactions that add a token to the key, so that this token is revoked too.
  if ((await connection.run(lockKey, key)) === 0) return false;
  const row = await connection.first(findKey, key);
  await connection.run(revokeTokensOfKey, { ...key, revokedAt });
  if (row !== undefined && row.revoked_at === null) {
    const { name, expires_at: end } = row;
    const data = { id: formatKeyId(key), name, expires_at: end === null ? null : formatTime(end) };
    const { merchantId } = key;
    await recordEvent({ connection, merchantId, now: revokedAt }, { type: 'key.revoked', data });
  }
  return true;
}

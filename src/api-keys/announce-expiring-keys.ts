import type { Connection, Database } from '../database/database.ts';
import { recordEvent } from '../events/record-event.ts';
import { formatTime } from '../shared/timestamps.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import { findKey, listExpiringKeys, setAnnouncedExpiry } from './queries.ts';

/** How long before a key expires its event is recorded, and its merchant's overview names it. */
export const NOTICE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Records an event for each key that expires within a week, once for each time of expiry. A key of which only
 * an older token expires has none.
 */
export async function announceExpiringKeys(database: Database, now: number): Promise<void> {
  const keys = await database.all(listExpiringKeys, { now, until: now + NOTICE_MS });
  for (const { merchant_id: merchantId, id } of keys) {
    const announce = (connection: Connection): Promise<void> =>
      announceKey(connection, { merchantId, id }, now);
    await database.transaction(announce, { merchantId });
  }
}

async function announceKey(connection: Connection, key: KeyNumbers, now: number): Promise<void> {
  const row = await connection.first(findKey, key);
  if (row === undefined || row.revoked_at !== null) return;
  const { name, expires_at: expiresAt } = row;
  if (expiresAt === null || expiresAt <= now || expiresAt > now + NOTICE_MS) return;
  if ((await connection.run(setAnnouncedExpiry, { ...key, expiresAt })) === 0) return;
  const { merchantId } = key;
  const data = { id: formatKeyId(key), name, expires_at: formatTime(expiresAt) };
  recordEvent({ connection, merchantId, now }, { type: 'key.expiring', data });
}

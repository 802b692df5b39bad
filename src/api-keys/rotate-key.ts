import type { Connection } from '../database/database.ts';
import { summarizeKey } from './list-keys.ts';
import { claimKey, expireTokensOfKey, insertToken, updateShownToken } from './queries.ts';
import { generateToken, hashToken, shownOf } from './token.ts';

export interface Rotation {
  merchantId: number;
  id: number;
  /** Until when the key's earlier tokens work; null for no longer. */
  oldTokenUntil: number | null;
}

/** A key that works no more gets no new token; the message is for its owner. */
export class KeyEnded extends Error {
  override name = 'KeyEnded';
}

/**
 * Gives a key a new token, inside a transaction under way. It expires when the key does; the earlier ones
 * never later than they would have. Undefined if there is no such key.
 * @throws {KeyEnded} for a key that is revoked or has expired
 */
export async function rotateKey(
  connection: Connection,
  { merchantId, id, oldTokenUntil }: Rotation,
  now: number,
): Promise<{ token: string } | undefined> {
  await connection.run(claimKey, [merchantId, id]);
  const key = await summarizeKey({ database: connection, now: () => now }, { merchantId, id });
  if (key === undefined) return undefined;
  if (key.state !== 'active') {
    throw new KeyEnded(
      `Key ${key.id} ${key.state === 'revoked' ? 'is revoked' : 'has expired'}: make a new one.`,
    );
  }
  const until = oldTokenUntil ?? now;
  await connection.run(expireTokensOfKey, [until, merchantId, id, until]);
  const token = generateToken();
  const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
  await connection.run(insertToken, [hashToken(token), merchantId, id, expiresAt]);
  await connection.run(updateShownToken, [...shownOf(token), merchantId, id]);
  return { token };
}

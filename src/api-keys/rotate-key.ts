import type { Connection } from '../database/database.ts';
import { summarizeKey } from './list-keys.ts';
import {
  claimKey,
  countWorkingTokens,
  deleteExpiredTokens,
  expireTokensOfKey,
  insertToken,
  updateShownToken,
} from './queries.ts';
import { generateToken, hashToken, shownOf } from './token.ts';

export interface Rotation {
  merchantId: number;
  id: number;
  /** Until when the key's earlier tokens work; null for no longer. */
  oldTokenUntil: number | null;
}

/** How many tokens of one key work at the same time. */
const MOST_TOKENS = 10;

/** The key cannot get a new token now; the message is for its owner. */
export class RotationRefused extends Error {
  override name = 'RotationRefused';
}

/**
 * Gives a key a new token, inside a transaction under way. It expires when the key does; the earlier ones
 * never later than they would have. Tokens that have expired are deleted. Undefined if there is no such key.
 * @throws {RotationRefused} for a key that is revoked, has expired or has too many working tokens
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
    throw new RotationRefused(
      `Key ${key.id} ${key.state === 'revoked' ? 'is revoked' : 'has expired'}: create a new one.`,
    );
  }
  const until = oldTokenUntil ?? now;
  await connection.run(expireTokensOfKey, [until, merchantId, id, until]);
  await connection.run(deleteExpiredTokens, [merchantId, id, now]);
  const working = await connection.first(countWorkingTokens, [merchantId, id, now]);
  if ((working?.tokens ?? 0) >= MOST_TOKENS) {
    throw new RotationRefused(
      `Key ${key.id} already has ${MOST_TOKENS} tokens that work: let the old token expire immediately.`,
    );
  }
  const token = generateToken();
  const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
  await connection.run(insertToken, [hashToken(token), merchantId, id, expiresAt]);
  await connection.run(updateShownToken, [...shownOf(token), merchantId, id]);
  return { token };
}

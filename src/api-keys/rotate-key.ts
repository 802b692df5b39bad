import type { Connection } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { addToken } from './create-key.ts';
import type { KeyNumbers } from './key-id.ts';
import { summarizeKey } from './list-keys.ts';
import {
  countValidTokens,
  deleteExpiredTokens,
  deleteTokenOwner,
  expireTokensOfKey,
  lockKey,
  updateTokenHint,
} from './queries.ts';
import { generateToken, tokenHint, tokenKindOf } from './token.ts';

interface Rotation extends KeyNumbers {
  /** When the key's earlier tokens expire; null means immediately. */
  oldTokenUntil: number | null;
}

/** How long expired tokens are kept, so that the log of requests can tell whose they were. */
const KEPT_EXPIRED_MS = 30 * 24 * 60 * 60 * 1000;
/** Valid tokens of one key. */
const MAX_TOKENS = 10;

/**
 * Gives a key a new token, which expires when the key does, inside a transaction. Earlier tokens expire at
 * `oldTokenUntil` or before; 30 days later, a rotation deletes them. Undefined if there is no such key.
 * @throws {DomainError} `key_not_rotatable` if the key is revoked, has expired or has too many valid tokens
 */
export async function rotateKey(
  connection: Connection,
  { merchantId, id, oldTokenUntil }: Rotation,
  now: number,
): Promise<{ token: string } | undefined> {
  const numbers = { merchantId, id };
  await connection.run(lockKey, numbers);
  const key = await summarizeKey({ database: connection, now: () => now }, numbers);
  if (key === undefined) return undefined;
  if (key.state !== 'active') {
    const state = key.state === 'revoked' ? 'is revoked' : 'has expired';
    throw errors.key_not_rotatable(key.id, `${state}: create a new one`);
  }
  await connection.run(expireTokensOfKey, { ...numbers, expiresAt: oldTokenUntil ?? now });
  const expired = await connection.all(deleteExpiredTokens, { ...numbers, before: now - KEPT_EXPIRED_MS });
  await connection.runEach(
    deleteTokenOwner,
    expired.map(({ token_hash }) => ({ tokenHash: token_hash })),
  );
  const valid = await connection.first(countValidTokens, { ...numbers, now });
  if ((valid?.tokens ?? 0) >= MAX_TOKENS) {
    const reason = `already has ${MAX_TOKENS} valid tokens: let the old token expire immediately`;
    throw errors.key_not_rotatable(key.id, reason);
  }
  const token = generateToken(tokenKindOf(merchantId));
  const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
  await addToken(connection, numbers, token, expiresAt);
  const data = { id: key.id, name: key.name, expires_at: key.expires_at };
  await Promise.all([
    connection.run(updateTokenHint, { ...numbers, ...tokenHint(token) }),
    recordEvent({ connection, merchantId, now }, { type: 'key.rotated', data }),
  ]);
  return { token };
}

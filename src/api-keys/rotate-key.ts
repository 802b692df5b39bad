import { recordAudit } from '../audit/record-audit.ts';
import { liveSideOf } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { addToken } from './create-key.ts';
import { requireOwnKey } from './key-id.ts';
import { type KeyNeeds, takeKeyChange } from './limit-keys.ts';
import { requireKey } from './list-keys.ts';
import {
  countValidTokens,
  deleteExpiredTokens,
  deleteTokenOwner,
  expireTokensOfKey,
  lockKey,
  updateTokenHint,
} from './queries.ts';
import { generateToken, tokenHint, tokenKindOf } from './token.ts';

interface Rotation {
  id: string;
  /** When the key's earlier tokens expire; null means immediately. */
  oldTokenUntil: number | null;
}

/** How long expired tokens are kept, so that the log of requests can tell whose they were. */
const KEPT_EXPIRED_MS = 30 * 24 * 60 * 60 * 1000;
/** Valid tokens of one key. */
const MAX_TOKENS = 10;

/**
 * Gives a key of a merchant, live or test, or of the operator a new token, which expires when the key does.
 * Earlier tokens expire at `oldTokenUntil` or before; 30 days later, a rotation deletes them.
 * @throws {DomainError} `key_not_found`; `key_not_rotatable` if the key is revoked, has expired or has too
 *   many valid tokens
 * @throws {BudgetExceeded} if the merchant rotates it and has changed too many keys today
 */
export async function rotateKey(
  context: WriteContext & KeyNeeds,
  { id, oldTokenUntil }: Rotation,
): Promise<{ token: string }> {
  const { connection, now } = context;
  const numbers = requireOwnKey(context.merchantId, id);
  const { merchantId } = numbers;
  await takeKeyChange(context);
  await connection.run(lockKey, numbers);
  const key = await requireKey(context, numbers);
  if (key.state !== 'active') {
    const state = key.state === 'revoked' ? 'is revoked' : 'has expired';
    throw errors.key_not_rotatable(id, `${state}: create a new one`);
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
    throw errors.key_not_rotatable(id, reason);
  }
  const token = generateToken(tokenKindOf(merchantId));
  const { name, expires_at } = key;
  await addToken(connection, numbers, token, expires_at === null ? null : Date.parse(expires_at));
  const data = { id, name, expires_at };
  const ofMerchant = { ...context, merchantId: liveSideOf(merchantId) };
  connection.send(updateTokenHint, [{ ...numbers, ...tokenHint(token) }]);
  recordEvent({ ...context, merchantId }, { type: 'key.rotated', data });
  recordAudit(ofMerchant, { action: 'key.rotated', subject: `${id} ${name}` });
  return { token };
}

import { recordAudit } from '../audit/record-audit.ts';
import { liveSideOf } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { requireOwnKey } from './key-id.ts';
import { type KeySummary, requireKey } from './list-keys.ts';
import { lockKey, revokeTokensOfKey } from './queries.ts';

/**
 * Revokes a key of a merchant, live or test, or of the operator permanently: from the next request on, in
 * every process. Repeating it changes nothing.
 * @throws {DomainError} `key_not_found`
 */
export async function revokeKey(context: WriteContext, { id }: { id: string }): Promise<KeySummary> {
  const { connection, now } = context;
  const key = requireOwnKey(context.merchantId, id);
  const { merchantId } = key;
  // Waits for transactions that add a token to the key, so that this token is revoked too.
  if ((await connection.run(lockKey, key)) === 0) throw errors.key_not_found(id);
  const { name, expires_at, revoked_at: revokedBefore } = await requireKey(context, key);
  await connection.run(revokeTokensOfKey, { ...key, revokedAt: now });
  if (revokedBefore === null)
    recordEvent({ ...context, merchantId }, { type: 'key.revoked', data: { id, name, expires_at } });
  const ofMerchant = { ...context, merchantId: liveSideOf(merchantId) };
  recordAudit(ofMerchant, { action: 'key.revoked', subject: `${id} ${name}` });
  return await requireKey(context, key);
}

import { type CreatedKey, createKey, type NewKey } from '../api-keys/create-key.ts';
import { type KeyNeeds, limitActiveKeys, takeKeyChange } from '../api-keys/limit-keys.ts';
import type { Scope } from '../api-keys/scopes.ts';
import type { Mode } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import { openTestSide } from './open-test-side.ts';

export interface NewMerchantKey extends NewKey {
  /** `live` if omitted. The first test key opens the merchant's test side. */
  mode?: Mode | undefined;
  scopes?: readonly Scope[] | undefined;
}

/**
 * Creates a live or a test key of a merchant, as `createKey` does.
 * @throws {DomainError} `token_taken`
 * @throws {BudgetExceeded} if the merchant creates it and has too many keys or key changes
 */
export async function createMerchantKey(
  context: WriteContext & KeyNeeds,
  { mode = 'live', ...key }: NewMerchantKey,
): Promise<CreatedKey> {
  const { connection, merchantId, now } = context;
  await takeKeyChange(context);
  const ownerId = mode === 'test' ? await openTestSide(connection, merchantId, now) : merchantId;
  const owner = { ...context, merchantId: ownerId };
  const created = await createKey(owner, key);
  await limitActiveKeys(owner);
  return created;
}

import type { CreatedKey } from '../../src/api-keys/create-key.ts';
import { nodesOf, parseKeyId } from '../../src/api-keys/key-id.ts';
import type { KeySummary } from '../../src/api-keys/list-keys.ts';
import { revokeKey as revoke } from '../../src/api-keys/revoke-key.ts';
import { rotateKey as rotate } from '../../src/api-keys/rotate-key.ts';
import type { OperatorScope } from '../../src/api-keys/scopes.ts';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Actor } from '../../src/database/actor.ts';
import type { Database } from '../../src/database/database.ts';
import { liveSideOf, OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { createMerchantKey, type NewMerchantKey } from '../../src/merchants/create-merchant-key.ts';
import { createOperatorKey as createForOperator } from '../../src/operator/keys/create-operator-key.ts';

interface KeyServices {
  database: Database;
  now: () => number;
}

// What the commands do: changes of keys by the operator.

export function createKey(
  services: KeyServices,
  { merchantId, ...key }: NewMerchantKey & { merchantId: number },
): Promise<CreatedKey> {
  const nodes = { everyNode: key.mode === 'test' };
  return runVerb(services, { merchantId, who: OPERATOR }, createMerchantKey, key, nodes);
}

export function createOperatorKey(
  services: KeyServices,
  key: { name: string; scopes: readonly OperatorScope[]; expiresAt: number | null; token?: string },
): Promise<CreatedKey> {
  return runVerb(services, { merchantId: OPERATOR_ID, who: OPERATOR }, createForOperator, key);
}

export async function rotateKey(
  services: KeyServices,
  id: string,
  oldTokenUntil: number | null,
): Promise<string> {
  return (await runVerb(services, ownerOf(id), rotate, { id, oldTokenUntil }, nodesOf(id))).token;
}

export function revokeKey(services: KeyServices, id: string): Promise<KeySummary> {
  return runVerb(services, ownerOf(id), revoke, { id }, nodesOf(id));
}

function ownerOf(keyId: string): { merchantId: number; who: Actor } {
  return { merchantId: liveSideOf(parseKeyId(keyId)?.merchantId ?? OPERATOR_ID), who: OPERATOR };
}

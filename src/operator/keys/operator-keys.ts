import { addKey, type CreatedKey, createKey, type NewKey } from '../../api-keys/create-key.ts';
import { formatKeyId, type KeyNumbers, parseKeyId } from '../../api-keys/key-id.ts';
import { summarizeKey } from '../../api-keys/list-keys.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { rotateKey } from '../../api-keys/rotate-key.ts';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { OPERATOR, recordAudit } from '../../audit/record-audit.ts';
import type { Connection, Database } from '../../database/database.ts';
import { newEpoch } from '../../database/epoch.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { insertOperatorCounters } from '../../merchants/queries.ts';
import { revisionAt } from '../../products/record/revision.ts';

interface Services {
  database: Database;
  now: () => number;
}

/** Only the token's hash is stored. `expiresAt` is in milliseconds since 1970; null for never. */
export async function createOperatorKey(
  services: Services,
  key: { name: string; scopes: readonly OperatorScope[]; expiresAt: number | null },
): Promise<CreatedKey> {
  return await createKey(services, { ...key, merchantId: OPERATOR_ID }, addOperatorKey);
}

async function addOperatorKey(connection: Connection, key: NewKey, createdAt: number): Promise<CreatedKey> {
  const counters = { revision: revisionAt(createdAt), epoch: newEpoch() };
  await connection.run(insertOperatorCounters, { merchantId: OPERATOR_ID, ...counters });
  return await addKey(connection, key, createdAt);
}

/**
 * Resolves to the key's new token; undefined if there is no such key. Earlier tokens expire at
 * `oldTokenUntil`, or now if it is null.
 * @throws {DomainError} `key_not_rotatable` as `rotateKey`
 */
export async function rotateOperatorKey(
  { database, now }: Services,
  keyId: string,
  oldTokenUntil: number | null,
): Promise<string | undefined> {
  const key = operatorKeyOf(keyId);
  if (key === undefined) return undefined;
  return await database.transaction(
    async (connection) => {
      const rotated = await rotateKey(connection, { ...key, oldTokenUntil }, now());
      if (rotated === undefined) return undefined;
      const name = (await summarizeKey({ database: connection, now }, key))?.name ?? '';
      const context = { connection, merchantId: OPERATOR_ID, who: OPERATOR, now: now() };
      await recordAudit(context, { action: 'key.rotated', subject: `${formatKeyId(key)} ${name}` });
      return rotated.token;
    },
    { merchantId: OPERATOR_ID },
  );
}

/** Resolves to false if there is no such key. */
export async function revokeOperatorKey(services: Services, keyId: string): Promise<boolean> {
  return operatorKeyOf(keyId) !== undefined && (await revokeKey(services, keyId));
}

/** Undefined for another key's id and any other text. */
function operatorKeyOf(keyId: string): KeyNumbers | undefined {
  const key = parseKeyId(keyId);
  return key?.merchantId === OPERATOR_ID ? key : undefined;
}

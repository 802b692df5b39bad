import { randomUUID } from 'node:crypto';
import { createKey } from '../api-keys/create-key.ts';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Connection, Database, Dialect } from '../database/database.ts';
import { newEpoch } from '../database/epoch.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { revisionAt } from '../products/record/revision.ts';
import { checkMerchant, checkOperatorsId, REGISTERED_PREFIX } from './check-merchant.ts';
import { findMerchantByExternalId, findNextMerchantId, insertCounters, insertMerchant } from './queries.ts';
import { takeName } from './take-name.ts';

export const DEFAULT_CURRENCY = 'USD';

interface NewMerchant {
  name: string;
  email: string | null;
  /** An IANA name; its calendar decides which month a sale belongs to. */
  timeZone: string;
  /** An ISO 4217 code; USD if omitted. */
  currency?: string;
  /** The operator's own id of the merchant; Tradepost's if omitted. */
  externalId?: string;
  /** Random, for a merchant that registers itself. Its external id is this one with a prefix. */
  registrationId?: string;
  /** Whether it can have a name that another merchant gave up; false if omitted. */
  anyName?: boolean;
}

/**
 * Creates a merchant and its first key, named `default`. The returned token cannot be read again. Runs `also`
 * in the same transaction, with the merchant's id.
 * @throws {DomainError} `invalid_fields` as `checkMerchant` and `takeName`, and for an external ID that is
 *   taken
 */
export async function createMerchant(
  { database, now }: { database: Database; now: () => number },
  merchant: NewMerchant,
  also: (connection: Connection, id: number) => Promise<void> = async () => {},
): Promise<{ id: number; keyId: string; token: string }> {
  return await database.transaction(
    async (connection) => {
      const id = await addMerchant(connection, database.dialect, merchant, now());
      const owner = { connection, merchantId: id, who: OPERATOR, now: now() };
      const key = await createKey(owner, { name: 'default', expiresAt: null });
      await also(connection, id);
      return { id, keyId: key.id, token: key.token };
    },
    { everyNode: true },
  );
}

/**
 * Like `createMerchant`, inside a transaction and without a key. Resolves to the merchant's id.
 * @throws as `createMerchant`
 */
export async function addMerchant(
  connection: Connection,
  dialect: Dialect,
  merchant: NewMerchant,
  now: number,
): Promise<number> {
  const { name, email, timeZone, currency = DEFAULT_CURRENCY, anyName = false } = merchant;
  checkMerchant({ name, email, timeZone, currency });
  await connection.all(dialect.takeGlobalLock);
  const id = (await connection.first(findNextMerchantId))?.id ?? 1;
  await takeName(connection, { merchantId: id, name, anyName });
  await connection.run(insertMerchant, {
    id,
    external_id: await chooseExternalId(connection, id, merchant),
    name,
    email,
    time_zone: timeZone,
    currency,
    created_at: now,
    suspended_at: null,
    requires_two_factor: 0,
  });
  await connection.run(insertCounters, {
    merchant_id: id,
    catalog_revision: revisionAt(now),
    epoch: newEpoch(),
    suspended_at: null,
  });
  await recordEvent(connection, {
    merchantId: id,
    type: 'merchant.created',
    occurredAt: now,
    data: { name },
  });
  return id;
}

/** Without an external ID from the operator or a registration, a merchant gets its id, or a random one. */
async function chooseExternalId(
  connection: Connection,
  id: number,
  { externalId, registrationId }: NewMerchant,
): Promise<string> {
  if (registrationId !== undefined) return `${REGISTERED_PREFIX}${registrationId}`;
  if (externalId !== undefined) checkOperatorsId(externalId);
  const chosen = externalId ?? String(id);
  if ((await connection.first(findMerchantByExternalId, { externalId: chosen })) === undefined) return chosen;
  if (externalId === undefined) return randomUUID();
  throw idTaken(externalId);
}

/** Returns the error for an external ID that another merchant has. */
export function idTaken(externalId: string): DomainError {
  const reason = `Another merchant has the external ID "${externalId}".`;
  return errors.invalid_fields([{ field: 'external_id', reason }]);
}

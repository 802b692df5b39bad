import { randomUUID } from 'node:crypto';
import { createKey } from '../api-keys/create-key.ts';
import { OPERATOR } from '../audit/record-audit.ts';
import type { Connection, Dialect } from '../database/database.ts';
import { newEpoch } from '../database/epoch.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { runVerb, type VerbCaller, type VerbServices, type WriteContext } from '../database/write-context.ts';
import type { DomainError } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { revisionAt } from '../products/record/revision.ts';
import { checkMerchant, checkOperatorsId, REGISTERED_PREFIX } from './check-merchant.ts';
import {
  findMerchantByExternalId,
  findNextMerchantId,
  insertCounters,
  insertMerchant,
  insertWord,
} from './queries.ts';
import { wordsOf } from './search-merchants.ts';
import { takeName } from './take-name.ts';

export const DEFAULT_CURRENCY = 'USD';

export interface NewMerchant {
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

/** What verbs that create or rename merchants need in addition to a `WriteContext`. */
export interface MerchantNeeds {
  dialect: Pick<Dialect, 'takeGlobalLock'>;
}

type Context = WriteContext & MerchantNeeds;

export interface CreatedMerchant {
  id: number;
  keyId: string;
  token: string;
}

/** Runs `addMerchantWithKey` as the operator. */
export async function createMerchant(
  services: VerbServices,
  merchant: NewMerchant,
): Promise<CreatedMerchant> {
  return await runVerb(services, asOperator(services), addMerchantWithKey, merchant, { everyNode: true });
}

/** The caller of verbs with which the operator creates and changes merchants. */
export function asOperator({
  database: { dialect },
}: Pick<VerbServices, 'database'>): VerbCaller & MerchantNeeds {
  return { merchantId: OPERATOR_ID, who: OPERATOR, dialect };
}

/**
 * Creates a merchant and its first key, named `default`. The returned token cannot be read again.
 * @throws {DomainError} as `addMerchant`
 */
export async function addMerchantWithKey(context: Context, merchant: NewMerchant): Promise<CreatedMerchant> {
  const id = await addMerchant(context, merchant);
  const key = await createKey({ ...context, merchantId: id }, { name: 'default', expiresAt: null });
  return { id, keyId: key.id, token: key.token };
}

/**
 * Creates a merchant without a key, and resolves to its id.
 * @throws {DomainError} `invalid_fields` as `checkMerchant` and `takeName`, and for an external ID that is
 *   taken
 */
export async function addMerchant(context: Context, merchant: NewMerchant): Promise<number> {
  const { connection, now, dialect } = context;
  const { name, email, timeZone, currency = DEFAULT_CURRENCY, anyName = false } = merchant;
  checkMerchant({ name, email, timeZone, currency });
  await connection.all(dialect.takeGlobalLock);
  const id = (await connection.first(findNextMerchantId))?.id ?? 1;
  await takeName({ connection, merchantId: id }, { name, anyName });
  const row = {
    id,
    external_id: await chooseExternalId(connection, id, merchant),
    name,
    email,
    time_zone: timeZone,
    currency,
    created_at: now,
    suspended_at: null,
    suspension_reason: null,
    request_limit: null,
    product_limit: null,
    requires_two_factor: 0,
  };
  await connection.run(insertMerchant, row);
  await connection.runEach(insertWord, wordsOf(row));
  await connection.run(insertCounters, {
    merchant_id: id,
    catalog_revision: revisionAt(now),
    epoch: newEpoch(),
    suspended_at: null,
    time_zone: timeZone,
    request_limit: null,
    product_limit: null,
  });
  recordEvent({ connection, merchantId: id, now }, { type: 'merchant.created', data: { name } });
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

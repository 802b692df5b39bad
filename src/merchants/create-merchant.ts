import { addKey } from '../api-keys/create-key.ts';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database, Dialect } from '../database/database.ts';
import { revisionAt } from '../products/record/revision.ts';
import { findMerchantByName, findNextMerchantId, insertCounters, insertMerchant } from './queries.ts';
import { isTimeZone } from './time-zone.ts';

/** The currency of a merchant that is created without one. */
export const DEFAULT_CURRENCY = 'USD';

export interface NewMerchant {
  name: string;
  email: string | null;
  /** An IANA name; its calendar decides which month a sale belongs to. */
  timeZone: string;
  /** An ISO 4217 code; USD if omitted. */
  currency?: string;
}

/** A field of a new merchant is invalid; the message is for the operator. */
export class InvalidMerchant extends Error {
  override name = 'InvalidMerchant';
  readonly field: 'name' | 'email' | 'timeZone' | 'currency';

  constructor(field: InvalidMerchant['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Creates a merchant and its first key, which is named `default`. The returned token cannot be read again. Runs
 * `also` in the same transaction, with the merchant's id.
 * @throws {InvalidMerchant} for a name that is taken, blank, too long or a number, an invalid email, an unknown time
 *   zone or currency
 */
export async function createMerchant(
  { database, now }: { database: Database; now: () => number },
  merchant: NewMerchant,
  also: (connection: Connection, id: number) => Promise<void> = async () => {},
): Promise<{ id: number; keyId: string; token: string }> {
  return await database.transaction(async (connection) => {
    const id = await addMerchant(connection, database.dialect, merchant, now());
    const key = await addKey(connection, { merchantId: id, name: 'default', expiresAt: null }, now());
    const entry = { merchantId: id, who: OPERATOR, subject: `${key.id} default` };
    await recordAudit(connection, { ...entry, action: 'key.created' }, now());
    await also(connection, id);
    return { id, keyId: key.id, token: key.token };
  });
}

/** Creates a merchant like `createMerchant`, inside a transaction and without a key. Resolves to the merchant's id. */
export async function addMerchant(
  connection: Connection,
  dialect: Dialect,
  merchant: NewMerchant,
  now: number,
): Promise<number> {
  const { name, email, timeZone, currency = DEFAULT_CURRENCY } = merchant;
  check({ name, email, timeZone, currency });
  await connection.all(dialect.takeGlobalLock);
  if ((await connection.first(findMerchantByName, { name })) !== undefined) {
    throw new InvalidMerchant('name', `A merchant named "${name}" already exists.`);
  }
  const id = (await connection.first(findNextMerchantId))?.id ?? 1;
  await connection.run(insertMerchant, { id, name, email, time_zone: timeZone, currency, created_at: now });
  await connection.run(insertCounters, { merchant_id: id, catalog_revision: revisionAt(now) });
  return id;
}

function check({ name, email, timeZone, currency }: Required<NewMerchant>): void {
  if (name.trim() !== name || name === '' || name.length > 100) {
    throw new InvalidMerchant(
      'name',
      'The merchant’s name must have 1 to 100 characters and not start or end with a space.',
    );
  }
  // Files identify merchants by id or name, so a name must not look like an id.
  if (/^\d+$/.test(name))
    throw new InvalidMerchant('name', `"${name}" looks like an id: add a letter to the name.`);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new InvalidMerchant('email', `"${email}" is not an email address.`);
  }
  if (!isTimeZone(timeZone)) {
    throw new InvalidMerchant(
      'timeZone',
      `"${timeZone}" is not a time zone: expected an IANA name, such as Europe/Vienna.`,
    );
  }
  if (!Intl.supportedValuesOf('currency').includes(currency)) {
    throw new InvalidMerchant(
      'currency',
      `"${currency}" is not a currency: expected an ISO 4217 code, such as EUR.`,
    );
  }
}

import { addKey } from '../api-keys/create-key.ts';
import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database, Dialect } from '../database/database.ts';
import { firstRevision } from '../products/record/revision.ts';
import { findMerchantByName, findNextMerchantId, insertMerchant } from './queries.ts';
import { isTimeZone } from './time-zone.ts';

export interface NewMerchant {
  name: string;
  email: string | null;
  /** An IANA name; its calendar decides which month a sale belongs to. */
  timeZone: string;
}

/** What was said of a merchant cannot be used; the message is for the operator. */
export class MerchantRefused extends Error {
  override name = 'MerchantRefused';
  readonly field: 'name' | 'email' | 'timeZone';

  constructor(field: MerchantRefused['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Makes a merchant with a first key, named `default`. The token is given back here and never again. `also`
 * makes what else is to be there with it, or not at all.
 * @throws {MerchantRefused} for a name that is taken, blank, too long or a number, or an unknown time zone
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

/** As `createMerchant`, inside a transaction under way, and without a key. Gives the merchant's id. */
export async function addMerchant(
  connection: Connection,
  dialect: Dialect,
  { name, email, timeZone }: NewMerchant,
  now: number,
): Promise<number> {
  check(name, email, timeZone);
  await connection.all(dialect.takeTurns);
  if ((await connection.first(findMerchantByName, [name])) !== undefined) {
    throw new MerchantRefused('name', `There is a merchant named "${name}" already.`);
  }
  const id = (await connection.first(findNextMerchantId))?.id ?? 1;
  await connection.run(insertMerchant, [id, name, email, timeZone, now, firstRevision(now)]);
  return id;
}

function check(name: string, email: string | null, timeZone: string): void {
  if (name.trim() !== name || name === '' || name.length > 100) {
    throw new MerchantRefused('name', 'A merchant’s name has 1 to 100 characters, and no space at its ends.');
  }
  // Files name merchants by id or by name: one must not look like the other.
  if (/^\d+$/.test(name))
    throw new MerchantRefused('name', `"${name}" would be taken for an id: add a letter to the name.`);
  if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new MerchantRefused('email', `"${email}" is not an e-mail address.`);
  }
  if (!isTimeZone(timeZone)) {
    throw new MerchantRefused(
      'timeZone',
      `"${timeZone}" is not a time zone: expected an IANA name, such as Europe/Vienna.`,
    );
  }
}

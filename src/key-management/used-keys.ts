import type { Reader, Statement } from '../database/database.ts';
import { Encryption } from '../encryption/encryption.ts';
import { MonthlyKeys } from '../encryption/monthly-keys.ts';
import { listCustomerKeys } from '../orders/customer/queries.ts';
import { listKeyIds } from '../webhooks/queries.ts';

/** The keys of the key file that encrypt values of the database. */
export interface UsedKeys {
  /** IDs of keys. */
  secrets: string[];
  /** Names of monthly keys, as in `MonthlyEncryptor`. */
  monthly: string[];
}

/** Each lists the monthly keys of the values in a table. */
const listMonthlyKeys: readonly Statement<unknown, { name: string }>[] = [listCustomerKeys];

export async function findUsedKeys(reader: Pick<Reader, 'all'>): Promise<UsedKeys> {
  const secrets = (await reader.all(listKeyIds)).map(({ id }) => id);
  const monthly: string[] = [];
  for (const list of listMonthlyKeys) monthly.push(...(await reader.all(list)).map(({ name }) => name));
  return { secrets, monthly };
}

/**
 * Checks that a key file has every key that the database uses, and resolves to these.
 * @throws {KeyFileUnusable}
 */
export async function requireUsedKeys(reader: Pick<Reader, 'all'>, file: string): Promise<UsedKeys> {
  const used = await findUsedKeys(reader);
  const keyFile = { file, onCreated: () => {} };
  await new Encryption(keyFile).requireKeys(used.secrets);
  await new MonthlyKeys(keyFile).requireKeys(used.monthly);
  return used;
}

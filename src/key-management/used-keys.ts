import { listAcmeKeyIds } from '../acme/queries.ts';
import type { Database, Reader } from '../database/database.ts';
import { Encryption } from '../encryption/encryption.ts';
import { MonthlyKeys } from '../encryption/monthly-keys.ts';
import { listCustomerKeys } from '../orders/customer/queries.ts';
import { listKeyIds } from '../webhooks/queries.ts';

/** A database, and the file with the keys that encrypt values of it. */
export interface EncryptedDatabase {
  database: Database;
  file: string;
}

/** The keys of the key file that encrypt values of the database. */
export interface UsedKeys {
  /** IDs of keys. */
  secrets: string[];
  /** Names of monthly keys, as in `MonthlyEncryptor`. */
  monthly: string[];
}

export async function findUsedKeys(reader: Pick<Reader, 'all'>): Promise<UsedKeys> {
  const ofWebhooks = (await reader.all(listKeyIds)).map(({ id }) => id);
  const ofCertificates = (await reader.all(listAcmeKeyIds)).map(({ id }) => id);
  const secrets = [...new Set([...ofWebhooks, ...ofCertificates])];
  const monthly = (await reader.all(listCustomerKeys)).map(({ name }) => name);
  return { secrets, monthly };
}

/**
 * Checks that a key file has every key that the database uses, and resolves to these keys.
 * @throws {KeyFileUnusable}
 */
export async function requireUsedKeys(reader: Pick<Reader, 'all'>, file: string): Promise<UsedKeys> {
  const used = await findUsedKeys(reader);
  const keyFile = { file, onCreated: () => {} };
  await new Encryption(keyFile).requireKeys(used.secrets);
  await new MonthlyKeys(keyFile).requireKeys(used.monthly);
  return used;
}

import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { campaignsOf } from './campaigns.ts';

/** Runs work on the database in the settings, over its own connections. */
export async function onDatabase<T>(
  environment: Record<string, string>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(parseConfig(environment), Date.now());
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

export async function newMerchant(
  environment: Record<string, string>,
): Promise<{ id: number; token: string }> {
  const merchant = { name: 'Acme', email: null, timeZone: 'UTC' };
  return await onDatabase(environment, (database) => createMerchant({ database, now: Date.now }, merchant));
}

/** Returns the names of a merchant's campaigns, as stored. */
export async function campaignNames(
  environment: Record<string, string>,
  merchant: { id: number },
): Promise<string[]> {
  const campaigns = await onDatabase(environment, (database) => campaignsOf({ database }, merchant));
  return campaigns.map(({ name }) => name);
}

import { join } from 'node:path';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { exportCampaigns } from '../../src/campaigns/export-campaigns.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { openPostgres } from '../../src/database/postgres/open.ts';
import { openSqlite } from '../../src/database/sqlite/open.ts';
import { statement } from '../../src/database/statement.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';

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

/** Does not migrate it. */
export async function onDatabaseAsItIs<T>(
  environment: Record<string, string>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { postgres: address, dataDirectory } = parseConfig(environment);
  const database =
    address === null
      ? openSqlite(join(dataDirectory, 'tradepost.db'))
      : await openPostgres(address, { waitMs: 0, onWaiting: () => {} });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Does not migrate it. Resolves to the names of its tables. */
export async function execute(
  environment: Record<string, string>,
  ...statements: string[]
): Promise<string[]> {
  return await onDatabaseAsItIs(environment, async (database) => {
    await database.transaction(async (connection) => {
      for (const sql of statements) await connection.run(statement<unknown, never>(sql));
    });
    const tables = await database.all(database.dialect.listTables);
    return tables.map(({ name }) => name);
  });
}

export async function newMerchant(
  environment: Record<string, string>,
): Promise<{ id: number; token: string }> {
  const merchant = { name: 'Acme', email: null, timeZone: 'UTC' };
  return await onDatabase(environment, (database) => createMerchant({ database, now: Date.now }, merchant));
}

export async function campaignsOf(
  { database, now = Date.now }: { database: Database; now?: () => number },
  { id }: { id: number },
): Promise<Campaign[]> {
  const campaigns: Campaign[] = [];
  for await (const batch of exportCampaigns({ database, now }, id)) campaigns.push(...batch);
  return campaigns;
}

export async function campaignNames(
  environment: Record<string, string>,
  merchant: { id: number },
): Promise<string[]> {
  const campaigns = await onDatabase(environment, (database) => campaignsOf({ database }, merchant));
  return campaigns.map(({ name }) => name);
}

import { join } from 'node:path';
import { generateDrafts } from '../../bench/service/build-database.ts';
import { fillOrders, generateOrderDrafts } from '../../bench/service/orders.ts';
import { hashPassword } from '../../src/console/auth/passwords.ts';
import type { Database } from '../../src/database/database.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { importDrafts } from '../support/catalog.ts';
import { PASSWORD } from '../support/console.ts';
import { createKey } from '../support/keys.ts';
import { type Owner, temporaryDirectory } from '../support/process.ts';
import { onDatabase } from '../support/stored.ts';
import { addUser } from '../support/users.ts';
import type { StressedSettings } from './server.ts';

/** Constant, so that a seed reproduces the same requests. */
export const TOKEN = 'torture-token-of-the-first';
export const EMAIL = 'torture@example.com';
const BATCH = 500;

/** With the IDs from 1. */
const ORDERS = 50;

/** A merchant with a catalog, orders, a key and a console user. */
export interface TestData {
  settings: StressedSettings;
  merchant: { id: number };
}

export async function createTestData(t: Owner, products: number): Promise<TestData> {
  const settings = { DATA_DIR: await temporaryDirectory(t) };
  return { settings, merchant: await onDatabase(settings, (database) => fill(database, settings, products)) };
}

export async function createDataIn(directory: string, products: number): Promise<TestData> {
  const settings = { DATA_DIR: join(directory, 'data') };
  return { settings, merchant: await onDatabase(settings, (database) => fill(database, settings, products)) };
}

async function fill(
  database: Database,
  settings: StressedSettings,
  products: number,
): Promise<{ id: number }> {
  const services = { database, now: Date.now };
  const { id } = await createMerchant(services, { name: 'Acme', email: null, timeZone: 'UTC' });
  await createKey(services, { merchantId: id, name: 'torture', expiresAt: null, token: TOKEN });
  const passwordHash = await hashPassword(PASSWORD);
  await addUser(services, { merchantId: id, name: 'Torturer', email: EMAIL, passwordHash });
  const drafts = [...generateDrafts(products, 1)];
  const batches = Array.from({ length: Math.ceil(products / BATCH) }, (_, index) =>
    drafts.slice(index * BATCH, (index + 1) * BATCH),
  );
  await importDrafts(services, { id }, batches);
  await fillOrders({ settings, database }, 'Acme', generateOrderDrafts(ORDERS, { products: drafts }));
  return { id };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { hashPassword } from '../../src/console/auth/passwords.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { Client } from '../../test/support/client.ts';
import { ConsoleClient, PASSWORD } from '../../test/support/console.ts';
import { addUser } from '../../test/support/users.ts';
import type { Settings } from '../engines/engine.ts';

/** Creates a console user of the merchant. */
export async function signIn(
  settings: Settings,
  baseUrl: string,
  merchantName: string,
): Promise<ConsoleClient> {
  const email = `bench-${Date.now()}@example.com`;
  const passwordHash = await hashPassword(PASSWORD);
  const database = await openDatabase(parseConfig(settings), Date.now());
  const merchant = await findMerchant({ database }, merchantName);
  if (merchant === undefined) throw new Error(`no merchant ${merchantName}`);
  const user = { merchantId: merchant.id, name: 'Bench', email, passwordHash };
  await addUser({ database, now: Date.now }, user);
  await database.close();
  const certificate = await readFile(join(settings.DATA_DIR, 'tls-cert.pem'), 'utf8');
  const client = new ConsoleClient(new Client(new URL(baseUrl).origin, certificate));
  await client.signIn(email);
  return client;
}

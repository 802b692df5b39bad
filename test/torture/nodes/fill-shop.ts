import { scopes } from '../../../src/api-keys/scopes.ts';
import { hashPassword } from '../../../src/console/auth/passwords.ts';
import type { Database } from '../../../src/database/database.ts';
import { createMerchant } from '../../../src/merchants/create-merchant.ts';
import { PASSWORD } from '../../support/console.ts';
import { createKey, createOperatorKey } from '../../support/keys.ts';
import { addUser } from '../../support/users.ts';
import { MERCHANT, type Shop } from './shop.ts';

/** Who may change the records of a merchant. */
export interface ShopOwners extends Pick<Shop, 'token' | 'operatorToken' | 'externalId'> {
  id: number;
  /** Of the user of the console. */
  email: string;
}

/** Adds a merchant, a key that sees customers, an operator key and a user of the console. */
export async function fillShop(database: Database, name = MERCHANT): Promise<ShopOwners> {
  const services = { database, now: Date.now };
  const { id } = await createMerchant(services, { name, email: null, timeZone: 'UTC' });
  const { token } = await createKey(services, { merchantId: id, name: 'ERP', scopes, expiresAt: null });
  const key = { name: 'back end', scopes: ['catalog', 'orders'], expiresAt: null } as const;
  const { token: operatorToken } = await createOperatorKey(services, key);
  const passwordHash = await hashPassword(PASSWORD);
  const email = `user${id}@example.com`;
  await addUser(services, { merchantId: id, name: 'Ada', email, passwordHash });
  return { id, token, operatorToken, externalId: String(id), email };
}

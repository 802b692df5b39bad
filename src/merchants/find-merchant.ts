import type { Database } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { findMerchantById, findMerchantByName, type MerchantRow } from './queries.ts';

/** Whether an id or name refers to this merchant, or to the merchant of this test side. */
export function isCalled({ id, name }: MerchantRow, idOrName: string): boolean {
  return idOrName === name || (/^\d{1,15}$/.test(idOrName) && Number(idOrName) === liveSideOf(id));
}

/** Finds a merchant by its id or its name, but never a test side, which has neither for people. */
export async function findMerchant(
  { database }: { database: Pick<Database, 'first'> },
  idOrName: string,
): Promise<MerchantRow | undefined> {
  if (/^\d{1,15}$/.test(idOrName)) {
    return await database.first(findMerchantById, { merchantId: Number(idOrName) });
  }
  return await database.first(findMerchantByName, { name: idOrName });
}

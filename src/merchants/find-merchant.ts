import type { Database } from '../database/database.ts';
import { findMerchantById, findMerchantByName, type MerchantRow } from './queries.ts';

/** Whether an id or name refers to this merchant. */
export function isCalled({ id, name }: MerchantRow, idOrName: string): boolean {
  return idOrName === name || (/^\d{1,15}$/.test(idOrName) && Number(idOrName) === id);
}

/** Finds a merchant by its id or its name. */
export async function findMerchant(
  { database }: { database: Pick<Database, 'first'> },
  idOrName: string,
): Promise<MerchantRow | undefined> {
  if (/^\d{1,15}$/.test(idOrName)) {
    return await database.first(findMerchantById, { merchantId: Number(idOrName) });
  }
  return await database.first(findMerchantByName, { name: idOrName });
}

import type { Database } from '../database/database.ts';
import { findMerchantById, findMerchantByName, type MerchantRow } from './queries.ts';

/** Whether a file that names a merchant so means this one. */
export function isCalled({ id, name }: MerchantRow, idOrName: string): boolean {
  return idOrName === name || (/^\d{1,15}$/.test(idOrName) && Number(idOrName) === id);
}

/** The merchant that an operator or a file means: by its id, or else by its name. */
export async function findMerchant(
  { database }: { database: Pick<Database, 'first'> },
  idOrName: string,
): Promise<MerchantRow | undefined> {
  if (/^\d{1,15}$/.test(idOrName)) return await database.first(findMerchantById, [Number(idOrName)]);
  return await database.first(findMerchantByName, [idOrName]);
}

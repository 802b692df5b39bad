import type { Reader } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { findMerchantsByIds, MERCHANTS_AT_ONCE } from './queries.ts';

export interface NamedMerchant {
  /** The operator's own ID. */
  external_id: string;
  name: string;
}

/** Returns the merchants of these IDs, also of test sides, by the merchant's ID; others are left out. */
export async function nameMerchants(
  reader: Pick<Reader, 'all'>,
  ids: Iterable<number>,
): Promise<Map<number, NamedMerchant>> {
  const distinct = [...new Set([...ids].map(liveSideOf))];
  const named = new Map<number, NamedMerchant>();
  for (let start = 0; start < distinct.length; start += MERCHANTS_AT_ONCE) {
    const part = { ids: distinct.slice(start, start + MERCHANTS_AT_ONCE) };
    for (const { id, external_id, name } of await reader.all(findMerchantsByIds, part))
      named.set(id, { external_id, name });
  }
  return named;
}

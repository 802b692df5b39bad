import type { Reader } from '../database/database.ts';
import { foldName } from '../shared/fold-name.ts';
import {
  findAmongByWord,
  findMerchantsByWord,
  listMerchantsAfter,
  listMerchantsAmong,
  MERCHANTS_AT_ONCE,
  type MerchantRow,
} from './queries.ts';

/** After every text that begins with a word. */
const END = '\u{10FFFF}';

/** Returns what a merchant is found by. */
export function wordsOf({
  id,
  name,
  external_id: externalId,
  email,
}: Pick<MerchantRow, 'id' | 'name' | 'external_id' | 'email'>): { word: string; merchant_id: number }[] {
  const words = new Set([name, externalId, email ?? ''].map(foldName));
  return [...words].filter((word) => word !== '').map((word) => ({ word, merchant_id: id }));
}

export interface MerchantSearch {
  /** The beginning of the name, the external ID or the email, in any letter case. */
  query?: string | undefined;
  suspended?: boolean | undefined;
  /** IDs in ascending order, of which the merchants must be. */
  among?: readonly number[] | undefined;
  /** The ID of the merchant before the first one; 0 for none. */
  after: number;
  limit: number;
}

/** Lists merchants by ID, oldest first. */
export async function searchMerchants(
  { database }: { database: Pick<Reader, 'all'> },
  { query, suspended, among, after, limit }: MerchantSearch,
): Promise<MerchantRow[]> {
  const part = { after, limit, suspended: suspended === undefined ? [0, 1] : [suspended ? 1 : 0] };
  const word = query === undefined ? undefined : foldName(query);
  const range = word === undefined ? undefined : { word, wordEnd: `${word}${END}` };
  if (among === undefined) {
    if (range === undefined) return await database.all(listMerchantsAfter, part);
    return await database.all(findMerchantsByWord, { ...part, ...range });
  }
  const found: MerchantRow[] = [];
  const rest = among.filter((id) => id > after);
  for (let start = 0; start < rest.length && found.length < limit; start += MERCHANTS_AT_ONCE) {
    const some = { ...part, ids: rest.slice(start, start + MERCHANTS_AT_ONCE) };
    const rows =
      range === undefined
        ? await database.all(listMerchantsAmong, some)
        : await database.all(findAmongByWord, { ...some, ...range });
    found.push(...rows);
  }
  return found.slice(0, limit);
}

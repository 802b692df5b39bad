import type { Reader } from '../../database/database.ts';
import type { ProductSet } from './product-set.ts';
import { listIdentifiers, listVariationOwners, listWords, type Range } from './queries.ts';
import { upperCase, wordsOf } from './words.ts';

export interface WordEntry {
  word: string;
  addTo(set: ProductSet): void;
}

/** Above every text that begins with a prefix and contains only characters of words. */
const LAST_CHARACTER = '\u{10ffff}';

export function rangeOf(merchantId: number, prefix: string): Range {
  return { merchantId, from: prefix, to: prefix + LAST_CHARACTER };
}

/** Ranges of identifiers as written that begin with a folded prefix (`isFoundAsWritten`). */
export function identifierRanges(merchantId: number, prefix: string): Range[] {
  const upper = upperCase(prefix);
  const ranges = [rangeOf(merchantId, prefix)];
  if (upper !== undefined && upper !== prefix) ranges.push(rangeOf(merchantId, upper));
  return ranges;
}

/** Reads words and identifiers that begin with a prefix, without using popular prefixes. */
export async function readRange(reader: Reader, merchantId: number, prefix: string): Promise<WordEntry[]> {
  const [words, ...identifiers] = await Promise.all([
    reader.all(listWords, rangeOf(merchantId, prefix)),
    ...identifierRanges(merchantId, prefix).flatMap((range) => [
      reader.all(listIdentifiers, range),
      reader.all(listVariationOwners, range),
    ]),
  ]);
  const entries: WordEntry[] = words.map((row) => ({ word: row.word, addTo: (set) => set.addStored(row) }));
  for (const { identifier, internal_id: id } of identifiers.flat()) {
    // Identifiers that are written otherwise are also among the words.
    const word = wordsOf(identifier)[0];
    if (word?.startsWith(prefix)) entries.push({ word, addTo: (set) => set.add(id) });
  }
  return entries;
}

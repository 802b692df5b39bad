import type { Connection } from '../../database/database.ts';
import { encodeBits, ProductSet } from './product-set.ts';
import {
  countIdentifiers,
  countVariations,
  countWords,
  prefixRows,
  type SetRow,
  savePopular,
} from './queries.ts';
import { identifierRanges, rangeOf, readRange, type WordEntry } from './read-range.ts';

/** A prefix is popular if more rows than this begin with it. Reading them takes one to three milliseconds. */
const MAX_ROWS = 1_000;

/** Adds the prefixes that are popular now, and longer popular ones. All shorter ones must be popular. */
export async function promotePrefixes(
  connection: Connection,
  merchantId: number,
  popular: ReadonlySet<string>,
  prefixes: ReadonlySet<string>,
): Promise<void> {
  const rows: SetRow[] = [];
  const promoted: string[] = [];
  for (const prefix of prefixes) {
    if (!(await isPopular(connection, merchantId, prefix))) continue;
    const entries = await readRange(connection, merchantId, prefix);
    for (const [word, members] of popularFrom(prefix, entries)) {
      promoted.push(word);
      for (const [block, bits] of setOf(members).blocks) {
        rows.push({ merchant_id: merchantId, word, block, products: encodeBits(bits) });
      }
    }
  }
  if (promoted.length === 0) return;
  await connection.runEach(prefixRows.insert, rows);
  const all = JSON.stringify([...popular, ...promoted]);
  await connection.run(savePopular, { merchant_id: merchantId, prefixes: all });
}

async function isPopular(connection: Connection, merchantId: number, prefix: string): Promise<boolean> {
  const most = MAX_ROWS + 1;
  const counts = await Promise.all([
    connection.first(countWords, { ...rangeOf(merchantId, prefix), most }),
    ...identifierRanges(merchantId, prefix).flatMap((range) => [
      connection.first(countIdentifiers, { ...range, most }),
      connection.first(countVariations, { ...range, most }),
    ]),
  ]);
  return counts.reduce((sum, row) => sum + (row?.rows ?? 0), 0) > MAX_ROWS;
}

/** Yields the prefix and longer ones that have enough words, with their words. */
function* popularFrom(prefix: string, entries: WordEntry[]): Generator<[string, WordEntry[]]> {
  if (entries.length <= MAX_ROWS) return;
  yield [prefix, entries];
  const longer = new Map<string, WordEntry[]>();
  for (const entry of entries) {
    const code = entry.word.codePointAt(prefix.length);
    if (code === undefined) continue;
    const next = prefix + String.fromCodePoint(code);
    const group = longer.get(next);
    if (group === undefined) longer.set(next, [entry]);
    else group.push(entry);
  }
  for (const [next, group] of longer) yield* popularFrom(next, group);
}

function setOf(entries: readonly WordEntry[]): ProductSet {
  const set = new ProductSet();
  for (const entry of entries) entry.addTo(set);
  return set;
}

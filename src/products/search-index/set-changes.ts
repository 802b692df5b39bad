import type { Connection } from '../../database/database.ts';
import { runInSteps, stepsOf } from '../../database/run-in-steps.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { addBit, addStored, BLOCK_SIZE, blockOf, emptyBits, encodeBits, removeBit } from './product-set.ts';
import type { prefixRows, SetRow } from './queries.ts';

/** The length of the list in `take`. */
const WORDS_PER_STATEMENT = 200;

interface RowChange {
  block: number;
  added: number[];
  removed: number[];
}

export class WordChanges {
  readonly #rows: RowChange[] = [];
  #last: RowChange | undefined;

  /** Returns false if the product is the one that was added last. */
  add(internalId: number): boolean {
    const { added } = this.#rowOf(internalId);
    if (added.at(-1) === internalId) return false;
    added.push(internalId);
    return true;
  }

  remove(internalId: number): void {
    this.#rowOf(internalId).removed.push(internalId);
  }

  get rows(): readonly RowChange[] {
    return this.#rows;
  }

  #rowOf(internalId: number): RowChange {
    const block = blockOf(internalId);
    // New products have consecutive ids, so most are in the same block as the one before.
    if (this.#last?.block === block) return this.#last;
    let row = this.#rows.find((known) => known.block === block);
    if (row === undefined) {
      row = { block, added: [], removed: [] };
      this.#rows.push(row);
    }
    this.#last = row;
    return row;
  }
}

/** Collects changes to `search_words` or `search_prefixes`, and writes each row once. */
export class SetChanges {
  readonly #words = new Map<string, WordChanges>();

  of(word: string): WordChanges {
    let changes = this.#words.get(word);
    if (changes === undefined) {
      changes = new WordChanges();
      this.#words.set(word, changes);
    }
    return changes;
  }

  async write(connection: Connection, statements: typeof prefixRows, merchantId: number): Promise<void> {
    const rows: SetRow[] = [];
    const slices = new TimeSlices();
    for (const [block, all] of this.#byBlock()) {
      for (const changes of stepsOf([...all])) {
        const words = changes.map(([word]) => word);
        // On PostgreSQL, inserting all rows in one statement takes less time than updating each.
        const stored = await takeStored(connection, statements, { merchantId, block, words });
        for (const [word, change] of changes) {
          const products = apply(stored.get(word), change);
          if (products.length > 0) rows.push({ merchant_id: merchantId, word, block, products });
        }
        await slices.pause();
      }
    }
    await runInSteps(connection, statements.insert, rows);
  }

  #byBlock(): Map<number, Map<string, RowChange>> {
    const blocks = new Map<number, Map<string, RowChange>>();
    for (const [word, { rows }] of this.#words) {
      for (const row of rows) {
        const changes = blocks.get(row.block) ?? new Map<string, RowChange>();
        blocks.set(row.block, changes.set(word, row));
      }
    }
    return blocks;
  }
}

async function takeStored(
  connection: Connection,
  { take }: typeof prefixRows,
  { merchantId, block, words }: { merchantId: number; block: number; words: readonly string[] },
): Promise<Map<string, Uint8Array>> {
  const found: ReturnType<typeof connection.all<never, Pick<SetRow, 'word' | 'products'>>>[] = [];
  for (let start = 0; start < words.length; start += WORDS_PER_STATEMENT) {
    const names = words.slice(start, start + WORDS_PER_STATEMENT);
    found.push(connection.all(take, { merchantId, block, names }));
  }
  return new Map((await Promise.all(found)).flat().map(({ word, products }) => [word, products]));
}

function apply(before: Uint8Array | undefined, { added, removed }: RowChange): Uint8Array {
  const [only] = added;
  if (before === undefined && only !== undefined && added.length === 1 && removed.length === 0) {
    // Most rows of identifiers.
    const place = only % BLOCK_SIZE;
    return Uint8Array.of(place & 0xff, place >>> 8);
  }
  const bits = emptyBits();
  if (before !== undefined) addStored(bits, before);
  for (const id of removed) removeBit(bits, id);
  for (const id of added) addBit(bits, id);
  return encodeBits(bits);
}

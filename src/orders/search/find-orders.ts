import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import type { OrderStatus } from '../record/order.ts';
import { identifierWord } from '../record/order-words.ts';
import { findNextWord, findStatuses, listOrdersFromExternalId, listOrdersWithWord } from './queries.ts';
import { externalIdRanges, LAST, MIN_PREFIX, orderIdIn } from './ranges.ts';

export interface FoundOrders {
  /** Newest first. */
  orders: { order_id: number; status: OrderStatus; created_at: number }[];
  /** Whether all orders that match were found. */
  isComplete: boolean;
}

interface SearchServices {
  offLoop: OffLoopReads;
  customers: CustomerVault;
  now: () => number;
}

const MAX_WORDS_WITH_PREFIX = 20;
const MAX_WORDS = 8;
/** Of each word, and in total. */
const MAX_FOUND = 1_000;

/**
 * Finds orders by the beginning of the order's ID, the external ID, the merchant's own ID, an SKU or a
 * tracking number, or by whole words of the customer's name if `byName` is true. Whoever may not see names
 * could otherwise guess them.
 * @throws {KeyFileUnusable}
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function findOrders(
  { offLoop, customers, now }: SearchServices,
  { merchantId, text, byName }: { merchantId: number; text: string; byName: boolean },
): Promise<FoundOrders> {
  const names = byName ? await customers.wordsFor({ merchantId, now: now() }, text) : [];
  return await offLoop.snapshot(merchantId, async (reader) => {
    const search = new Search(reader, merchantId);
    const found = await Promise.all([
      search.byExternalId(text),
      search.byIdentifier(text),
      search.byWords(names.slice(0, MAX_WORDS).map(({ word, hashes }) => [identifierWord(word), ...hashes])),
    ]);
    const ids = new Set(found.flatMap((each) => [...each]));
    const number = orderIdIn(text);
    if (number !== undefined) ids.add(number);
    const newest = [...ids].sort((one, other) => other - one).slice(0, MAX_FOUND);
    const statuses = await lookUp(reader, findStatuses, merchantId, newest);
    const orders = statuses.sort((one, other) => other.order_id - one.order_id);
    return { orders, isComplete: search.isComplete && ids.size <= MAX_FOUND };
  });
}

/** Finds IDs of orders, and remembers whether there were too many. */
class Search {
  readonly #reader: Reader;
  readonly #merchantId: number;
  isComplete = true;

  constructor(reader: Reader, merchantId: number) {
    this.#reader = reader;
    this.#merchantId = merchantId;
  }

  async byExternalId(text: string): Promise<Set<number>> {
    const found = externalIdRanges(text).map((range) => {
      const part = { merchantId: this.#merchantId, ...range, limit: MAX_FOUND };
      return this.#reader.all(listOrdersFromExternalId, part);
    });
    return this.#limited((await Promise.all(found)).flat());
  }

  async byIdentifier(text: string): Promise<Set<number>> {
    const word = identifierWord(text);
    const length = word.length - identifierWord('').length;
    if (length === 0) return new Set();
    const words = [word, ...(length < MIN_PREFIX ? [] : await this.#longerWords(word))];
    return await this.#withAny(words);
  }

  /** Each element has words of which an order needs one. */
  async byWords(needed: readonly (readonly string[])[]): Promise<Set<number>> {
    const [first, ...others] = await Promise.all(needed.map((words) => this.#withAny(words)));
    return others.reduce((common, each) => common.intersection(each), first ?? new Set<number>());
  }

  async #longerWords(prefix: string): Promise<string[]> {
    const words: string[] = [];
    for (let after = prefix; words.length < MAX_WORDS_WITH_PREFIX; ) {
      const range = { merchantId: this.#merchantId, after, end: prefix + LAST };
      const next = await this.#reader.first(findNextWord, range);
      if (next === undefined) return words;
      after = next.word;
      words.push(next.word);
    }
    this.isComplete = false;
    return words;
  }

  async #withAny(words: readonly string[]): Promise<Set<number>> {
    const found = await Promise.all(
      words.map((word) =>
        this.#reader.all(listOrdersWithWord, { merchantId: this.#merchantId, word, limit: MAX_FOUND }),
      ),
    );
    for (const rows of found) this.#limited(rows);
    return new Set(found.flat().map(({ order_id }) => order_id));
  }

  #limited(rows: readonly { order_id: number }[]): Set<number> {
    if (rows.length >= MAX_FOUND) this.isComplete = false;
    return new Set(rows.map(({ order_id }) => order_id));
  }
}

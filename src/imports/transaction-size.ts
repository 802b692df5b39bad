/** How long a transaction may hold the write lock of SQLite, or lock the merchant, until it commits. */
const MAX_HOLD_MS = 12;
/** The first transaction is small, because nobody knows how long its items take. */
const FIRST_ITEMS = 12;
const MIN_ITEMS = 4;
const MAX_ITEMS = 500;
const GROWTH = 2;

/**
 * The number of items that an import writes in one transaction, so that others can write soon: as many as fit
 * into 12 ms at the speed of the transaction before it. Items differ: a title without spaces takes a hundred
 * times as long to index as a usual title.
 */
export class TransactionSize {
  #items = FIRST_ITEMS;

  get items(): number {
    return this.#items;
  }

  /** Adapts to a transaction that wrote `items` and held its locks for `ms`, without the commit. */
  record(items: number, ms: number): void {
    const fitting = (items * MAX_HOLD_MS) / Math.max(ms, Number.EPSILON);
    const grown = Math.min(fitting, this.#items * GROWTH);
    this.#items = Math.max(MIN_ITEMS, Math.min(MAX_ITEMS, Math.floor(grown)));
  }
}

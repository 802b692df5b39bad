import type { ImportTransactions } from '../database/database.ts';

/** The first transaction is small, because nobody knows how long its items take. */
const FIRST_ITEMS = 12;
const MAX_ITEMS = 500;
const GROWTH = 2;

/**
 * The number of items that an import writes in one transaction, so that others can write soon: as many as fit
 * into the engine's `maxHoldMs` at the speed of the transaction before it. Items differ: a title without
 * spaces takes a hundred times as long to index as a usual title.
 */
export class TransactionSize {
  readonly #limits: Readonly<ImportTransactions>;
  #items: number;

  constructor(limits: Readonly<ImportTransactions>) {
    this.#limits = limits;
    this.#items = Math.max(FIRST_ITEMS, limits.minItems);
  }

  get items(): number {
    return this.#items;
  }

  /** Adapts to a transaction that wrote `items` and held its locks for `ms`, without the commit. */
  record(items: number, ms: number): void {
    const { maxHoldMs, minItems } = this.#limits;
    const fitting = (items * maxHoldMs) / Math.max(ms, Number.EPSILON);
    const grown = Math.min(fitting, this.#items * GROWTH);
    this.#items = Math.max(minItems, Math.min(MAX_ITEMS, Math.floor(grown)));
  }
}

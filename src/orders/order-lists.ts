import type { Reader } from '../database/database.ts';
import { readList } from '../metadata/read-lists.ts';
import type { OrderLists } from './read-call.ts';

/** How long a process may use lists after the operator has set others. */
const MAX_AGE_MS = 2_000;

/** The lists of `metadata` that calls are checked against, read again every few seconds. */
export class OrderListReader {
  readonly #database: Pick<Reader, 'first'>;
  #lists: OrderLists | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Reader, 'first'>) {
    this.#database = database;
  }

  async read(): Promise<OrderLists> {
    const startedAt = performance.now();
    if (this.#lists !== undefined && startedAt - this.#readAt < MAX_AGE_MS) return this.#lists;
    const [carriers, reasons] = await Promise.all([
      readList(this.#database, 'carriers'),
      readList(this.#database, 'refund_reasons'),
    ]);
    // The lists are checked when the operator sets them.
    this.#lists = {
      carriers: JSON.parse(carriers.json) as OrderLists['carriers'],
      refundReasons: JSON.parse(reasons.json) as OrderLists['refundReasons'],
    };
    this.#readAt = startedAt;
    return this.#lists;
  }
}

import type { Reader } from '../database/database.ts';
import { readList } from '../metadata/read-lists.ts';

/** How long a process may use values after the operator has set others. */
const MAX_AGE_MS = 2_000;

/** The lists of `metadata` that calls are checked against. */
export interface ListedValues {
  /** Codes by name. */
  carriers: Readonly<Record<string, string>>;
  refundReasons: readonly string[];
}

/** Reads the lists again every few seconds. */
export class ListedValuesReader {
  readonly #database: Pick<Reader, 'first'>;
  #values: ListedValues | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Reader, 'first'>) {
    this.#database = database;
  }

  async read(): Promise<ListedValues> {
    const startedAt = performance.now();
    if (this.#values !== undefined && startedAt - this.#readAt < MAX_AGE_MS) return this.#values;
    const [carriers, reasons] = await Promise.all([
      readList(this.#database, 'carriers'),
      readList(this.#database, 'refund_reasons'),
    ]);
    // The lists are checked when the operator sets them.
    this.#values = {
      carriers: JSON.parse(carriers.json) as ListedValues['carriers'],
      refundReasons: JSON.parse(reasons.json) as ListedValues['refundReasons'],
    };
    this.#readAt = startedAt;
    return this.#values;
  }
}

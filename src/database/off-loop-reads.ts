import { FairQueue } from '../shared/fair-queue.ts';
import type { Database, Reader, RowWithItems, Statement } from './database.ts';

/** How many run at once, in all and for one merchant, and how many may wait. */
const LIMITS = { atOnce: 4, perLine: 2, mostWaiting: 128 };

/**
 * Reads that take too long for the event loop. Merchants take turns, so that none waits for many of another's, and on
 * PostgreSQL they leave connections free for everything else.
 */
export class OffLoopReads {
  readonly #database: Database;
  readonly #queue = new FairQueue(LIMITS);

  constructor(database: Database) {
    this.#database = database;
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Runs `work` on the data as they are at one moment, in a merchant's turn.
   * @throws {QueueFull} if too many reads wait, and most of them are this merchant's
   */
  snapshot<T>(merchantId: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#queue.run(String(merchantId), () => this.#database.snapshot(work, { offLoop: true }));
  }

  /** As `Database.firstWithItems`, in a merchant's turn. @throws {QueueFull} as `snapshot` */
  firstWithItems<Parameters, Row>(
    merchantId: number,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    return this.#queue.run(String(merchantId), () =>
      this.#database.firstWithItems(statement, parameters, { offLoop: true }),
    );
  }
}

import { FairQueue } from '../shared/fair-queue.ts';
import type { Database, Reader, RowWithItems, Statement } from './database.ts';

/** How many reads may wait. */
const MAX_WAITING = 128;

type RunJob = <T>(job: () => Promise<T>) => Promise<T>;

/**
 * Runs reads that take too long for the event loop. Merchants take turns, so that no merchant waits for many reads of
 * another one. The database limits how many run at the same time.
 */
export class OffLoopReads {
  readonly #database: Database;
  readonly #runOutside: RunJob;
  readonly #queue: FairQueue;

  /** `runOutside` runs a read, with its wait, for a request that need not count as in progress until the read ends. */
  constructor(database: Database, runOutside: RunJob = (job) => job()) {
    this.#database = database;
    this.#runOutside = runOutside;
    this.#queue = new FairQueue({ ...database.longReads, maxWaiting: MAX_WAITING });
  }

  /** The number of reads that wait. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Runs `work` on a snapshot of the data when it is the merchant's turn.
   * @throws {QueueFull} if too many reads wait and most of them are this merchant's
   */
  snapshot<T>(merchantId: number, work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#run(merchantId, () => this.#database.snapshot(work, { offLoop: true, merchantId }));
  }

  /** Runs `Database.firstWithItems` when it is the merchant's turn. @throws {QueueFull} as `snapshot` */
  firstWithItems<Parameters, Row>(
    merchantId: number,
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    return this.#run(merchantId, () =>
      this.#database.firstWithItems(statement, parameters, { offLoop: true }),
    );
  }

  #run<T>(merchantId: number, read: () => Promise<T>): Promise<T> {
    return this.#runOutside(() => this.#queue.run(String(merchantId), read));
  }
}

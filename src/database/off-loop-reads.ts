import { FairQueue } from '../shared/fair-queue.ts';
import type { Database, Reader, RowWithItems, Statement } from './database.ts';

const MAX_WAITING = 128;

type RunJob = <T>(job: () => Promise<T>) => Promise<T>;

/** Runs reads that take too long for the event loop, as many at a time as the database allows, in turns. */
export class OffLoopReads {
  readonly #database: Database;
  readonly #runOutside: RunJob;
  readonly #queue: FairQueue;

  /** `runOutside` runs a read and its wait for a request that need not count as in progress until then. */
  constructor(database: Database, runOutside: RunJob = (job) => job()) {
    this.#database = database;
    this.#runOutside = runOutside;
    this.#queue = new FairQueue({ ...database.longReads, maxWaiting: MAX_WAITING });
  }

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

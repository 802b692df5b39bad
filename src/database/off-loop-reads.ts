import { FairQueue } from '../shared/fair-queue.ts';
import { StartRate } from '../shared/start-rate.ts';
import type { Database, Reader, RowWithItems } from './database.ts';
import type { Statement } from './statement.ts';

/** As many reads wait as are likely to start within this time, but at least the minimum. */
const TARGET_WAIT_MS = 400;
const MIN_WAITING = 32;
const MAX_WAITING = 128;
const SAMPLE_MS = 50;

type RunJob = <T>(job: () => Promise<T>) => Promise<T>;

/** Runs reads that take too long for the event loop, as many at a time as the database allows, in turns. */
export class OffLoopReads {
  readonly #database: Database;
  readonly #runOutside: RunJob;
  readonly #queue: FairQueue;
  readonly #clock: () => number;
  readonly #startRate: StartRate;
  #sampledAt: number;

  /**
   * `runOutside` runs a read and its wait for a request that need not count as in progress until then.
   * `clock` is in milliseconds, like `performance.now`.
   */
  constructor(
    database: Database,
    runOutside: RunJob = (job) => job(),
    clock: () => number = () => performance.now(),
  ) {
    this.#database = database;
    this.#runOutside = runOutside;
    this.#clock = clock;
    this.#startRate = new StartRate(clock);
    this.#sampledAt = clock();
    this.#queue = new FairQueue({ ...database.longReads, maxWaiting: () => this.#maxWaiting() });
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
    if (this.waiting === 0) this.#startSample();
    return this.#runOutside(() =>
      this.#queue.run(String(merchantId), () => {
        this.#startRate.recordStart();
        return read();
      }),
    );
  }

  #maxWaiting(): number {
    if (this.#clock() - this.#sampledAt >= SAMPLE_MS) {
      this.#startRate.sample();
      this.#sampledAt = this.#clock();
    }
    const likely = this.#startRate.expectedWithin(TARGET_WAIT_MS);
    return Math.min(MAX_WAITING, Math.max(MIN_WAITING, likely));
  }

  #startSample(): void {
    this.#startRate.restart();
    this.#sampledAt = this.#clock();
  }
}

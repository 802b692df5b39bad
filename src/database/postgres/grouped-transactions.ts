import type { Connection } from '../database.ts';
import { isLost, isRetryable } from './errors.ts';
import type { Transaction } from './transaction.ts';

type GroupWork = (transaction: Connection & Pick<Transaction, 'nested'>) => Promise<void>;

interface QueuedTransaction {
  run(connection: Connection): Promise<void>;
  /** Called after the commit. */
  resolve(): void;
  reject(error: unknown): void;
}

const GROUP_MS = 20;
const MAX_GROUP_SIZE = 50;

/**
 * Combines waiting transactions of one merchant, which all lock it first, into one with one flush to the
 * disk. Each resolves after the commit, and fails alone.
 */
export class GroupedTransactions {
  readonly #run: (work: GroupWork, merchantId: number) => Promise<void>;
  /** By merchant. A merchant whose transactions are running has a list. */
  readonly #waiting = new Map<number, QueuedTransaction[]>();

  /** `run` may run a transaction again from its beginning. */
  constructor(run: (work: GroupWork, merchantId: number) => Promise<void>) {
    this.#run = run;
  }

  /** Runs `work` atomically, after the merchant's transactions that this process began before. */
  transaction<T>(work: (connection: Connection) => Promise<T>, merchantId: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    const queued: QueuedTransaction = {
      run: async (connection) => {
        result = await work(connection);
      },
      resolve: () => resolve(result),
      reject,
    };
    const waiting = this.#waiting.get(merchantId);
    if (waiting !== undefined) waiting.push(queued);
    else void this.#drain(merchantId, queued);
    return promise;
  }

  async #drain(merchantId: number, first: QueuedTransaction): Promise<void> {
    const waiting = [first];
    this.#waiting.set(merchantId, waiting);
    while (waiting.length > 0) await this.#commitGroup(merchantId, waiting);
    this.#waiting.delete(merchantId);
  }

  async #commitGroup(merchantId: number, waiting: QueuedTransaction[]): Promise<void> {
    const group: QueuedTransaction[] = [];
    // Reported after the commit, because the group may run again.
    let failed = new Map<QueuedTransaction, unknown>();
    try {
      await this.#run(async (transaction) => {
        failed = new Map();
        waiting.unshift(...group.splice(0));
        const deadline = performance.now() + GROUP_MS;
        do {
          const queued = waiting.shift();
          if (queued === undefined) break;
          group.push(queued);
          // A single transaction needs no savepoint.
          if (group.length === 1 && waiting.length === 0) return await queued.run(transaction);
          const failure = await runNested(queued, transaction);
          if (failure !== undefined) failed.set(queued, failure.error);
        } while (performance.now() < deadline && group.length < MAX_GROUP_SIZE);
      }, merchantId);
    } catch (error) {
      // If no connection could begin a transaction, all waiting transactions fail.
      for (const queued of group.length > 0 ? group : waiting.splice(0)) queued.reject(error);
      return;
    }
    for (const queued of group) {
      if (failed.has(queued)) queued.reject(failed.get(queued));
      else queued.resolve();
    }
  }
}

/** Resolves to a transaction's error if only this one failed. @throws if the whole group has to end */
async function runNested(
  queued: QueuedTransaction,
  transaction: Pick<Transaction, 'nested'>,
): Promise<{ error: unknown } | undefined> {
  try {
    await transaction.nested((connection) => queued.run(connection));
    return undefined;
  } catch (error) {
    if (isRetryable(error) || isLost(error)) throw error;
    return { error };
  }
}

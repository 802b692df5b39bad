import type { Connection } from '../database.ts';
import { isLost, isRetryable } from './errors.ts';
import type { Transaction } from './transaction.ts';

type GroupWork = (transaction: Connection & Pick<Transaction, 'nested'>) => Promise<void>;

/** A transaction that waits for its turn. */
interface Unit {
  run(connection: Connection): Promise<void>;
  acknowledge(): void;
  fail(error: unknown): void;
}

/** How long transactions can join a group, which shares one commit, and how many. */
const GROUP_MS = 20;
const MAX_UNITS = 50;

/**
 * Runs transactions that lock their merchant first. Waiting transactions of one merchant are combined into one, so that
 * they share one disk flush. Each resolves after the commit. A failure of one does not affect the others.
 */
export class GroupedTransactions {
  readonly #run: (work: GroupWork, merchantId: number) => Promise<void>;
  /** The transactions that wait, by merchant. A merchant whose transactions are running has a list. */
  readonly #waiting = new Map<number, Unit[]>();

  /** `run` runs a transaction, which it may run again from its beginning. */
  constructor(run: (work: GroupWork, merchantId: number) => Promise<void>) {
    this.#run = run;
  }

  /** Runs `work` atomically, after the merchant's transactions that this process began before. */
  transaction<T>(work: (connection: Connection) => Promise<T>, merchantId: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    const unit: Unit = {
      run: async (connection) => {
        result = await work(connection);
      },
      acknowledge: () => resolve(result),
      fail: reject,
    };
    const waiting = this.#waiting.get(merchantId);
    if (waiting !== undefined) waiting.push(unit);
    else void this.#drain(merchantId, unit);
    return promise;
  }

  async #drain(merchantId: number, first: Unit): Promise<void> {
    const waiting = [first];
    this.#waiting.set(merchantId, waiting);
    while (waiting.length > 0) await this.#commitGroup(merchantId, waiting);
    this.#waiting.delete(merchantId);
  }

  async #commitGroup(merchantId: number, waiting: Unit[]): Promise<void> {
    const group: Unit[] = [];
    // A unit's own failure is reported after the commit, because the transaction may run again.
    let failed = new Map<Unit, unknown>();
    try {
      await this.#run(async (transaction) => {
        failed = new Map();
        waiting.unshift(...group.splice(0));
        const deadline = performance.now() + GROUP_MS;
        do {
          const unit = waiting.shift();
          if (unit === undefined) break;
          group.push(unit);
          // A single unit needs no savepoint.
          if (group.length === 1 && waiting.length === 0) return await unit.run(transaction);
          const failure = await runNested(unit, transaction);
          if (failure !== undefined) failed.set(unit, failure.error);
        } while (performance.now() < deadline && group.length < MAX_UNITS);
      }, merchantId);
    } catch (error) {
      // If no connection could begin a transaction, all waiting transactions fail.
      for (const unit of group.length > 0 ? group : waiting.splice(0)) unit.fail(error);
      return;
    }
    for (const unit of group) {
      if (failed.has(unit)) unit.fail(failed.get(unit));
      else unit.acknowledge();
    }
  }
}

/** Resolves to the unit's error if only this unit failed. @throws if the whole transaction has to end */
async function runNested(
  unit: Unit,
  transaction: Pick<Transaction, 'nested'>,
): Promise<{ error: unknown } | undefined> {
  try {
    await transaction.nested((connection) => unit.run(connection));
    return undefined;
  } catch (error) {
    if (isRetryable(error) || isLost(error)) throw error;
    return { error };
  }
}

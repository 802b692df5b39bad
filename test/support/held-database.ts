import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { until } from './until.ts';

/** Ends at `release`, or at the end of its scope. */
export interface Hold extends Disposable {
  release(): void;
}

export class HeldDatabase {
  waiting = 0;
  #reached = Promise.withResolvers<void>();
  #held: { merchantIds: readonly number[]; released: Promise<void> } | undefined;

  /** Resolves when a transaction starts to wait. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Transactions of these merchants or test sides wait. Background work that names no merchant does not. */
  hold(...merchantIds: readonly number[]): Hold {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = { merchantIds, released: promise };
    this.#reached = Promise.withResolvers<void>();
    const release = (): void => {
      this.#held = undefined;
      resolve();
    };
    return { release, [Symbol.dispose]: release };
  }

  wrap(database: Database): Database {
    return intercept(database, {
      transaction: async (work, options) => {
        const { merchantId } = options ?? {};
        if (merchantId !== undefined && this.#held?.merchantIds.includes(merchantId)) {
          this.waiting += 1;
          this.#reached.resolve();
          await this.#held.released;
          this.waiting -= 1;
        }
        return await database.transaction(work, options);
      },
    });
  }
}

/**
 * Sends two resets of a test side at once, and expects that one replaces the other, which gets `status`.
 * Transactions that record the key's use and the calls wait too, so the resets may miss each other, and are
 * repeated until they meet.
 */
export async function expectReplacedReset(
  held: HeldDatabase,
  { id }: { id: number },
  status: number,
  send: () => Promise<{ status: number }>,
): Promise<void> {
  let statuses: number[] = [];
  await until(
    async () => {
      using hold = held.hold(testSideOf(id));
      const resets = [send(), send()];
      await until(() => held.waiting >= 2);
      hold.release();
      statuses = (await Promise.all(resets)).map((response) => response.status).sort();
      return statuses[1] !== 200;
    },
    { message: () => `expected 200 and ${status}, but the statuses are ${statuses}` },
  );
  assert.deepEqual(statuses, [200, status]);
}

import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

/** A hold on the transactions of merchants, until `release` or the end of its scope. */
export interface Hold extends Disposable {
  release(): void;
}

/** Wraps a database so that a test can make the transactions of merchants wait. */
export class HeldDatabase {
  /** The number of transactions that are waiting. */
  waiting = 0;
  #reached = Promise.withResolvers<void>();
  #held: { merchantIds: readonly number[]; released: Promise<void> } | undefined;

  /** Resolves when a transaction starts to wait. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Makes transactions of these merchants or test sides wait. Those of background work that names none do not. */
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

import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

/** Wraps a database so that a test can make its transactions wait. */
export class HeldDatabase {
  /** The number of transactions that are waiting. */
  waiting = 0;
  #reached = Promise.withResolvers<void>();
  #released: Promise<void> | undefined;

  /** Resolves when a transaction starts to wait. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Returns a function that lets transactions continue. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#released = promise;
    this.#reached = Promise.withResolvers<void>();
    return () => {
      this.#released = undefined;
      resolve();
    };
  }

  wrap(database: Database): Database {
    return intercept(database, {
      transaction: async (work, options) => {
        if (this.#released !== undefined) {
          this.waiting += 1;
          this.#reached.resolve();
          await this.#released;
          this.waiting -= 1;
        }
        return await database.transaction(work, options);
      },
    });
  }
}

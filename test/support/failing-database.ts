import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

export class FailingDatabase {
  failure: Error | undefined;

  wrap(database: Database): Database {
    const unlessFailing = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.failure !== undefined) throw this.failure;
      return await work();
    };
    return intercept(database, {
      all: (statement, ...parameters) => unlessFailing(() => database.all(statement, ...parameters)),
      first: (statement, ...parameters) => unlessFailing(() => database.first(statement, ...parameters)),
      firstWithItems: (statement, parameters) =>
        unlessFailing(() => database.firstWithItems(statement, parameters)),
      transaction: (work, options) => unlessFailing(() => database.transaction(work, options)),
      version: () => {
        if (this.failure !== undefined) throw this.failure;
        return database.version();
      },
    });
  }
}

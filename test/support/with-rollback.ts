import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

class Rollback extends Error {}

/** Every transaction returns its result and is then rolled back, without disk writes. */
export function withRollback(database: Database): Database {
  return intercept(database, {
    transaction: async (work, options) => {
      const result = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
      const rolledBack = database.transaction(async (connection) => {
        result.resolve(await work(connection));
        throw new Rollback();
      }, options);
      await rolledBack.catch((error: unknown) => {
        if (!(error instanceof Rollback)) result.reject(error);
      });
      return await result.promise;
    },
  });
}

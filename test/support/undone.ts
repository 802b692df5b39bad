import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

class Undo extends Error {}

/** The database, with every transaction undone once it has given its answer: nothing waits for the disk. */
export function undone(database: Database): Database {
  return intercept(database, {
    transaction: async (work, options) => {
      const answer = Promise.withResolvers<Awaited<ReturnType<typeof work>>>();
      const undo = database.transaction(async (connection) => {
        answer.resolve(await work(connection));
        throw new Undo();
      }, options);
      await undo.catch((error: unknown) => {
        if (!(error instanceof Undo)) answer.reject(error);
      });
      return await answer.promise;
    },
  });
}

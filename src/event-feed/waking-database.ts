import type { Database } from '../database/database.ts';
import { intercept } from '../database/intercept.ts';

export function wakingDatabase(database: Database, wake: () => void): Database {
  return intercept(database, {
    threadVerb: (verb) => {
      const inThread = database.threadVerb(verb);
      return (
        inThread &&
        (async (...call) => {
          const result = await inThread(...call);
          wake();
          return result;
        })
      );
    },
    transaction: async (work, options) => {
      const result = await database.transaction(work, options);
      wake();
      return result;
    },
  });
}

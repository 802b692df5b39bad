import type { Database } from '../database/database.ts';
import { intercept } from '../database/intercept.ts';

export function wakingDatabase(database: Database, wake: () => void): Database {
  return intercept(database, {
    transaction: async (work, options) => {
      const result = await database.transaction(work, options);
      wake();
      return result;
    },
  });
}

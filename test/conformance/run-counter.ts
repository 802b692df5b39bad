import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import type { Statement } from '../../src/database/statement.ts';

/** Counts how often a service runs a statement. */
export function countRuns<Parameters>(counted: Statement<Parameters>): {
  wrap: (database: Database) => Database;
  count: () => number;
} {
  let runs = 0;
  const wrap = (database: Database): Database =>
    intercept(database, {
      first: (statement, ...parameters) => {
        if (statement.sql === counted.sql) runs += 1;
        return database.first(statement, ...parameters);
      },
    });
  return { wrap, count: () => runs };
}

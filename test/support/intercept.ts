import type { Database } from '../../src/database/database.ts';

/** The database, with some of what it does done otherwise. */
export function intercept(database: Database, otherwise: Partial<Database>): Database {
  return {
    dialect: database.dialect,
    all: (statement, parameters) => database.all(statement, parameters),
    first: (statement, parameters) => database.first(statement, parameters),
    firstWithItems: (statement, parameters) => database.firstWithItems(statement, parameters),
    transaction: (work, options) => database.transaction(work, options),
    snapshot: (work) => database.snapshot(work),
    settle: () => database.settle(),
    version: () => database.version(),
    close: () => database.close(),
    ...otherwise,
  };
}

import type { Database } from './database.ts';

/** The same database, with some of what it does done otherwise. */
export function intercept(database: Database, otherwise: Partial<Database>): Database {
  return {
    dialect: database.dialect,
    concurrency: database.concurrency,
    all: (statement, ...parameters) => database.all(statement, ...parameters),
    first: (statement, ...parameters) => database.first(statement, ...parameters),
    firstWithItems: (statement, parameters, options) =>
      database.firstWithItems(statement, parameters, options),
    transaction: (work, options) => database.transaction(work, options),
    snapshot: (work, options) => database.snapshot(work, options),
    settle: () => database.settle(),
    version: () => database.version(),
    close: () => database.close(),
    ...otherwise,
  };
}

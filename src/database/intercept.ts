import type { Database } from './database.ts';

/** If `transaction` is replaced, all verbs run in it, unless `inWriterThread` is replaced too. */
export function intercept(database: Database, replaced: Partial<Database>): Database {
  return {
    dialect: database.dialect,
    concurrency: database.concurrency,
    importTransactions: database.importTransactions,
    longReads: database.longReads,
    all: (statement, ...parameters) => database.all(statement, ...parameters),
    first: (statement, ...parameters) => database.first(statement, ...parameters),
    firstWithItems: (statement, parameters, options) =>
      database.firstWithItems(statement, parameters, options),
    transaction: (work, options) => database.transaction(work, options),
    inWriterThread: (verb) =>
      replaced.transaction === undefined ? database.inWriterThread(verb) : undefined,
    snapshot: (work, options) => database.snapshot(work, options),
    updateStatistics: () => database.updateStatistics(),
    version: () => database.version(),
    close: () => database.close(),
    ...replaced,
  };
}

/** Runs `around` with each transaction, wherever it runs. */
export function aroundTransactions(
  database: Database,
  around: <T>(run: () => Promise<T>) => Promise<T>,
): Database {
  return intercept(database, {
    transaction: (work, options) => around(() => database.transaction(work, options)),
    inWriterThread: (verb) => {
      const inThread = database.inWriterThread(verb);
      return inThread && ((...call) => around(() => inThread(...call)));
    },
  });
}

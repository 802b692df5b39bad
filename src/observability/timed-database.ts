import type { Database } from '../database/database.ts';
import { aroundTransactions, intercept } from '../database/intercept.ts';
import type { Metrics } from './metrics.ts';

export function timedDatabase(database: Database, metrics: Metrics): Database {
  const timed = <T>(kind: 'read' | 'transaction', work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const record = (): void => metrics.database(kind, (performance.now() - startedAt) / 1000);
    const result = work();
    result.then(record, record);
    return result;
  };
  const timedReads = intercept(database, {
    all: (statement, ...parameters) => timed('read', () => database.all(statement, ...parameters)),
    first: (statement, ...parameters) => timed('read', () => database.first(statement, ...parameters)),
    firstWithItems: (statement, parameters, options) =>
      timed('read', () => database.firstWithItems(statement, parameters, options)),
  });
  return aroundTransactions(timedReads, (run) => timed('transaction', run));
}

import type { Database } from '../database/database.ts';
import { requireSchema } from '../database/migrate.ts';
import { messageOf } from '../shared/error-message.ts';
import { withTimeout } from '../shared/timeout.ts';
import type { Figures, Metrics } from './metrics.ts';

export interface Health {
  /** Null if the service is ready for requests. */
  unreadyReason(): Promise<string | null>;
  /** The figures of each process. */
  metrics(): Promise<Figures[]>;
}

/** A slower database counts as unavailable. */
const TIMEOUT_MS = 2_000;

/** `isStopping` returns true once the process accepts no more requests. */
export function processHealth(database: Database, metrics: Metrics, isStopping: () => boolean): Health {
  return {
    unreadyReason: async () =>
      isStopping() ? 'The service is shutting down.' : await databaseProblem(database),
    metrics: async () => [await metrics.figures()],
  };
}

async function databaseProblem(database: Database): Promise<string | null> {
  try {
    const check = requireSchema(database, database.dialect).then(() => null);
    return await withTimeout(TIMEOUT_MS, check, 'The database does not respond.');
  } catch (error) {
    return `The database cannot be used: ${messageOf(error)}`;
  }
}

import type { Database } from '../database/database.ts';
import { requireSchema } from '../database/migrate.ts';
import { messageOf } from '../shared/error-message.ts';
import { withTimeout } from '../shared/timeout.ts';
import type { Figures, Metrics } from './metrics.ts';

/** The state of a service, for operators. */
export interface Health {
  /** Returns why the service is not ready for requests; null if it is ready. */
  unreadyReason(): Promise<string | null>;
  /** Returns the figures of each process. */
  metrics(): Promise<Figures[]>;
}

/** A database that takes longer to return its schema version counts as unavailable. */
const TIMEOUT_MS = 2_000;

/** Returns the health of this process. `isStopping` returns true once it accepts no more requests. */
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

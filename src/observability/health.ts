import type { Database } from '../database/database.ts';
import { requireSchema } from '../database/migrations/migrate.ts';
import { withTimeout } from '../shared/timeout.ts';
import type { Figures, Metrics } from './metrics.ts';

/** What can be asked about a service by those who look after it. */
export interface Health {
  /** Why it is not ready to answer requests; null if it is. */
  unreadyReason(): Promise<string | null>;
  /** What was counted so far, a list for each process. */
  metrics(): Promise<Figures[]>;
}

/** A database that takes longer to say which schema it has is as good as away. */
const PATIENCE_MS = 2_000;

/** The health of this very process. `isStopping` says whether it takes no more requests. */
export function processHealth(database: Database, metrics: Metrics, isStopping: () => boolean): Health {
  return {
    unreadyReason: async () => (isStopping() ? 'It is shutting down.' : await troubleWith(database)),
    metrics: async () => [await metrics.figures()],
  };
}

async function troubleWith(database: Database): Promise<string | null> {
  try {
    const answer = requireSchema(database, database.dialect).then(() => null);
    return await withTimeout(PATIENCE_MS, answer, 'The database does not answer.');
  } catch (error) {
    return `The database cannot be used: ${error instanceof Error ? error.message : 'unknown error'}`;
  }
}

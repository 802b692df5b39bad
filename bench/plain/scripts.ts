import type { EngineName, Settings } from '../engines/engine.ts';
import { postgresScripts } from './postgres-scripts.ts';
import { sqliteScripts } from './sqlite-scripts.ts';

/** They do the service's work directly on the database, for comparison. */
interface PlainScripts {
  /** Commits campaigns one after another on one connection. Resolves to the number per second. */
  commit(settings: Settings, seconds: number): Promise<number>;
  /** Copies rows from another database in one transaction. Resolves to the duration in seconds. */
  fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number>;
}

export const plainScripts: Record<EngineName, PlainScripts> = {
  sqlite: sqliteScripts,
  postgres: postgresScripts,
};

import type { EngineName, Settings } from '../engines/engine.ts';
import { postgresScripts } from './postgres-scripts.ts';
import { sqliteScripts } from './sqlite-scripts.ts';

/** Scripts that do the work of the service directly on the database, for comparison. */
interface PlainScripts {
  /** Commits one campaign after another on one connection. Resolves to the number per second. */
  commit(settings: Settings, seconds: number): Promise<number>;
  /** Copies the rows of tables from another database in one transaction. Resolves to the duration in seconds. */
  fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number>;
}

/** The plain scripts of each engine. */
export const plainScripts: Record<EngineName, PlainScripts> = {
  sqlite: sqliteScripts,
  postgres: postgresScripts,
};

import type { Settings } from '../engines/engine.ts';

/** Scripts that do the work of the service directly on the database, for comparison. */
export interface PlainScripts {
  /** Commits one campaign after the other on one connection. Resolves to the number per second. */
  commit(settings: Settings, seconds: number): Promise<number>;
  /** Copies the rows of tables from another database in one transaction. Resolves to the duration in seconds. */
  fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number>;
}

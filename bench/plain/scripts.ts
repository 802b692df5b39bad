import type { EngineName, Settings } from '../engines/engine.ts';
import { postgresScripts } from './postgres-scripts.ts';
import { sqliteScripts } from './sqlite-scripts.ts';

/** What a plain script does, without the service. */
export interface PlainScripts {
  /** Commits one campaign after the other on one connection; resolves to how many a second. */
  commit(settings: Settings, seconds: number): Promise<number>;
  /** Fills a database's tables with another's rows in one transaction; resolves to the seconds that took. */
  fill(from: Settings, to: Settings, tables: readonly string[]): Promise<number>;
}

export const plainScripts: Record<EngineName, PlainScripts> = {
  sqlite: sqliteScripts,
  postgres: postgresScripts,
};

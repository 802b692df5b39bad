import type { EngineName } from '../engines/engine.ts';
import type { PlainScripts } from './plain-scripts.ts';
import { postgresScripts } from './postgres-scripts.ts';
import { sqliteScripts } from './sqlite-scripts.ts';

/** The plain scripts of each engine. */
export const plainScripts: Record<EngineName, PlainScripts> = {
  sqlite: sqliteScripts,
  postgres: postgresScripts,
};

import { join } from 'node:path';

/** Kept between runs. Git ignores it. */
export const dataRoot = join(import.meta.dirname, '..', 'data');

export interface Settings extends Record<string, string> {
  DATA_DIR: string;
  DATABASE_URL: string;
}

export type EngineName = 'sqlite' | 'postgres';

/** The named databases are kept between runs. */
export interface Engine extends AsyncDisposable {
  readonly name: EngineName;
  /** Version and configuration. */
  readonly description: string;
  settings(database: string): Settings;
  has(database: string): Promise<boolean>;
  /** Drops an existing database of that name. */
  recreate(database: string): Promise<void>;
  rename(database: string, name: string): Promise<void>;
  drop(database: string): Promise<void>;
  /** Resolves to bytes. No service may use the database. */
  size(database: string): Promise<number>;
  /** CPU time of the engine's own processes; NaN if they cannot be observed. */
  cpuSeconds(): number;
}

import { join } from 'node:path';

/** The directory of databases and files that are kept between runs. Git ignores it. */
export const dataRoot = join(import.meta.dirname, '..', 'data');

/** The service's settings for one database. */
export interface Settings extends Record<string, string> {
  DATA_DIR: string;
  DATABASE_URL: string;
}

export type EngineName = 'sqlite' | 'postgres';

/** A running database engine with named databases, which are kept between runs. */
export interface Engine extends AsyncDisposable {
  readonly name: EngineName;
  /** Its version and configuration. */
  readonly description: string;
  settings(database: string): Settings;
  has(database: string): Promise<boolean>;
  /** Creates an empty database, and drops an existing one of that name. */
  recreate(database: string): Promise<void>;
  rename(database: string, name: string): Promise<void>;
  drop(database: string): Promise<void>;
  /** Resolves to the size of a database that no service uses, in bytes. */
  size(database: string): Promise<number>;
  /** Returns the CPU time that its own processes have used, in seconds; NaN if they cannot be observed. */
  cpuSeconds(): number;
}

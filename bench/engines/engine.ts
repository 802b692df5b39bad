import { join } from 'node:path';

/** Where what takes long to make is kept between runs; git ignores it. */
export const dataRoot = join(import.meta.dirname, '..', 'data');

/** The program's settings for one database. */
export interface Settings extends Record<string, string> {
  DATA_DIR: string;
  DATABASE_URL: string;
}

export type EngineName = 'sqlite' | 'postgres';

/** A database engine that is up. Its databases have names; what is made stays for the next run. */
export interface Engine extends AsyncDisposable {
  readonly name: EngineName;
  /** Its version, and how it is set up. */
  readonly description: string;
  settings(database: string): Settings;
  has(database: string): Promise<boolean>;
  /** Makes an empty database, in place of one of that name. */
  renew(database: string): Promise<void>;
  rename(database: string, name: string): Promise<void>;
  drop(database: string): Promise<void>;
  /** The CPU time that its own processes took so far, in seconds; NaN where they are out of sight. */
  cpuSeconds(): number;
}

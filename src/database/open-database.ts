import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Config, SettingError } from '../config.ts';
import type { Database } from './database.ts';
import { migrate } from './migrations/migrate.ts';
import { AddressError } from './postgres/address.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite } from './sqlite/open.ts';

/** The settings that say which database it is. */
export type DatabaseSettings = Pick<Config, 'dataDirectory' | 'postgres' | 'databaseWaitMs'>;

/**
 * Opens the database that the settings name, its schema brought up to this program's. Where its server
 * is away, `onWaiting` is told so for the operator, once.
 * @throws {SettingError} or {DatabaseUnusable} with a line for the operator
 */
export async function openDatabase(
  config: DatabaseSettings,
  now: number,
  onWaiting: (line: string) => void = () => {},
): Promise<Database> {
  const database = await open(config, onWaiting);
  try {
    await migrate(database, now);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(config: DatabaseSettings, onWaiting: (line: string) => void): Promise<Database> {
  try {
    makeDirectory(config.dataDirectory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new SettingError(`DATA_DIR is "${config.dataDirectory}", which cannot be made: ${reason}.`);
  }
  if (config.postgres === null) return openSqlite(join(config.dataDirectory, 'tradepost.db'));
  try {
    return await openPostgres(config.postgres, { waitMs: config.databaseWaitMs, onWaiting });
  } catch (error) {
    if (error instanceof AddressError)
      throw new SettingError(`DATABASE_URL cannot be used: ${error.message}.`);
    throw error;
  }
}

/** Makes a directory and those above it. Node's own way of doing so never ends where `/proc` refuses one. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

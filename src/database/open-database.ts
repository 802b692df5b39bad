import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../shared/error-message.ts';
import { type Database, DatabaseUnusable } from './database.ts';
import { migrate } from './migrate.ts';
import { AddressError, type PostgresAddress } from './postgres/address.ts';
import { openPostgres } from './postgres/open.ts';
import { openSqlite, SqliteDatabase } from './sqlite/open.ts';
import { openSqliteReadOnly } from './sqlite/read-only.ts';
import type { WriterThreadSettings } from './sqlite/remote-writer.ts';

export interface DatabaseSettings {
  /** Absolute path of the SQLite database's directory. */
  dataDirectory: string;
  /** Null for the SQLite database. */
  postgres: PostgresAddress | null;
  databaseWaitMs: number;
  /** Set if writes to SQLite must not block the event loop. */
  writerThread?: WriterThreadSettings;
}

/**
 * Opens the database and migrates its schema. Calls `onWaiting` once if the server is away.
 * @throws {DatabaseUnusable} with a line for the operator
 */
export async function openDatabase(
  settings: DatabaseSettings,
  now: number,
  onWaiting: (line: string) => void = () => {},
): Promise<Database> {
  const database = await open(settings, onWaiting);
  try {
    await migrate(database, now);
    // Not before, because a migration may have statements that take minutes.
    if (settings.writerThread !== undefined && database instanceof SqliteDatabase)
      await database.writeInThread(settings.writerThread);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function open(
  { dataDirectory, postgres, databaseWaitMs }: DatabaseSettings,
  onWaiting: (line: string) => void,
): Promise<Database> {
  try {
    createDirectory(dataDirectory);
  } catch (error) {
    throw new DatabaseUnusable(
      `DATA_DIR is "${dataDirectory}", which cannot be created: ${messageOf(error)}.`,
    );
  }
  if (postgres === null) return openSqlite(sqliteFile(dataDirectory));
  return await connect(postgres, databaseWaitMs, onWaiting);
}

export type ReadOnlyDatabase = Pick<Database, 'dialect' | 'snapshot' | 'close'>;

/**
 * Opens the database without migrating it; null if it is a SQLite database that does not exist.
 * @throws {DatabaseUnusable} with a line for the operator
 */
export async function openDatabaseReadOnly(
  { dataDirectory, postgres, databaseWaitMs }: DatabaseSettings,
  onWaiting: (line: string) => void = () => {},
): Promise<ReadOnlyDatabase | null> {
  if (postgres !== null) return await connect(postgres, databaseWaitMs, onWaiting);
  const file = sqliteFile(dataDirectory);
  return existsSync(file) ? openSqliteReadOnly(file) : null;
}

export function sqliteFile(dataDirectory: string): string {
  return join(dataDirectory, 'tradepost.db');
}

async function connect(
  postgres: PostgresAddress,
  waitMs: number,
  onWaiting: (line: string) => void,
): Promise<Database> {
  try {
    return await openPostgres(postgres, { waitMs, onWaiting });
  } catch (error) {
    if (error instanceof AddressError) {
      throw new DatabaseUnusable(`DATABASE_URL cannot be used: ${error.message}.`);
    }
    throw error;
  }
}

/** Creates a directory and its parents. Node's `recursive` option loops forever under `/proc`. */
function createDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Database, DatabaseUnusable, type Reader } from '../database.ts';
import { SqliteConnection, translateError } from './connection.ts';
import { dialect } from './open.ts';

const BUSY_MS = 5_000;

/**
 * Opens an SQLite database that is there already, and never writes to it; another process may.
 * @throws {DatabaseUnusable} when the file is missing, cannot be opened or is not a SQLite database
 */
export function openSqliteReadOnly(file: string): Pick<Database, 'dialect' | 'snapshot' | 'close'> {
  openReadOnly(file).close();
  return {
    dialect,
    snapshot: async <T>(work: (reader: Reader) => Promise<T>): Promise<T> => {
      const database = openReadOnly(file);
      try {
        database.exec('BEGIN');
        return await work(new SqliteConnection(database));
      } catch (error) {
        throw translateError(error);
      } finally {
        database.close();
      }
    },
    close: async () => {},
  };
}

/** As `openSqliteReadOnly`, the engine's own connection. */
export function openReadOnly(file: string): DatabaseSync {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new DatabaseUnusable(`There is no database file ${file}.`);
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    // Nothing is read from the file before the first statement is.
    database.exec('SELECT 1 FROM sqlite_schema');
    return database;
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'unknown error';
    throw new DatabaseUnusable(`The database file ${file} cannot be used: ${cause}.`, { cause: error });
  }
}

/** What is wrong with the pages of a database file, by SQLite's own quick check; nothing where it is whole. */
export function quickCheck(file: string): string[] {
  const database = openReadOnly(file);
  try {
    const rows = database.prepare('PRAGMA quick_check').all();
    return rows.map((row) => String(row.quick_check)).filter((fault) => fault !== 'ok');
  } catch (error) {
    return [error instanceof Error ? error.message : 'unknown error'];
  } finally {
    database.close();
  }
}

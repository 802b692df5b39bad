import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../shared/error-message.ts';
import { type Database, DatabaseUnusable, type Reader } from '../database.ts';
import { PreparedStatements, SqliteConnection, translateSqliteError } from './connection.ts';
import { dialect } from './dialect.ts';

const BUSY_MS = 5_000;

/**
 * Other processes may write to it.
 * @throws {DatabaseUnusable} if the file is missing, cannot be opened or is not a SQLite database
 */
export function openSqliteReadOnly(file: string): Pick<Database, 'dialect' | 'snapshot' | 'close'> {
  openReadOnly(file).close();
  return {
    dialect,
    snapshot: async <T>(work: (reader: Reader) => Promise<T>): Promise<T> => {
      const database = openReadOnly(file);
      try {
        database.exec('BEGIN');
        return await work(new SqliteConnection(new PreparedStatements(database)));
      } catch (error) {
        throw translateSqliteError(error);
      } finally {
        database.close();
      }
    },
    close: async () => {},
  };
}

/** Opens a `node:sqlite` connection. @throws as `openSqliteReadOnly` */
export function openReadOnly(file: string): DatabaseSync {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new DatabaseUnusable(`There is no database file ${file}.`);
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    // SQLite reads nothing from the file before the first statement.
    database.exec('SELECT 1 FROM sqlite_schema');
    return database;
  } catch (error) {
    throw new DatabaseUnusable(`The database file ${file} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

export function quickCheck(file: string): string[] {
  const database = openReadOnly(file);
  try {
    const rows = database.prepare('PRAGMA quick_check').all();
    return rows.map((row) => String(row.quick_check)).filter((fault) => fault !== 'ok');
  } catch (error) {
    return [messageOf(error)];
  } finally {
    database.close();
  }
}

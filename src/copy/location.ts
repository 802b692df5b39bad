import { existsSync, realpathSync } from 'node:fs';
import type { Config } from '../config.ts';
import { type Database, DatabaseUnusable } from '../database/database.ts';
import { schemaVersion } from '../database/migrate.ts';
import { sqliteFile } from '../database/open-database.ts';
import { type PostgresAddress, parsePostgresAddress } from '../database/postgres/address.ts';
import { openPostgres } from '../database/postgres/open.ts';
import { openSqlite } from '../database/sqlite/open.ts';
import { openSqliteReadOnly } from '../database/sqlite/read-only.ts';
import type { CopySource } from './copy-database.ts';

/** A SQLite file or a PostgreSQL address. */
type DatabaseLocation = { file: string } | { address: PostgresAddress };

type Waiting = Parameters<typeof openPostgres>[1];

/**
 * Reads `sqlite:FILE` or a `postgres://` address.
 * @throws {DatabaseUnusable} or {AddressError} for anything else
 */
export function parseLocation(text: string): DatabaseLocation {
  const file = /^sqlite:(.+)$/s.exec(text)?.[1];
  if (file !== undefined) return { file };
  if (/^postgres(ql)?:/.test(text)) return { address: parsePostgresAddress(text) };
  // The message does not repeat the text, which may contain a password.
  throw new DatabaseUnusable('Expected sqlite:FILE or postgres://user:password@host:5432/database.');
}

/** Returns the location of the database that the settings name. */
export function configuredLocation({ postgres, dataDirectory }: Config): DatabaseLocation {
  return postgres === null ? { file: sqliteFile(dataDirectory) } : { address: postgres };
}

/** Whether both are the same file, or the same database on the same servers. */
export function isSameLocation(one: DatabaseLocation, other: DatabaseLocation): boolean {
  return identify(one) === identify(other);
}

function identify(location: DatabaseLocation): string {
  if ('file' in location) return existsSync(location.file) ? realpathSync(location.file) : location.file;
  return JSON.stringify([location.address.hosts, location.address.database]);
}

/** Opens a database for reading only. @throws as `openSqliteReadOnly` and `openPostgres` */
export async function openSource(location: DatabaseLocation, waiting: Waiting): Promise<CopySource> {
  return 'file' in location
    ? openSqliteReadOnly(location.file)
    : await openPostgres(location.address, waiting);
}

/** Opens a database, or creates a file. @throws as `openSqlite` and `openPostgres` */
export async function openTarget(location: DatabaseLocation, waiting: Waiting): Promise<Database> {
  if ('address' in location) return await openPostgres(location.address, waiting);
  if (existsSync(location.file)) await requireOurs(location.file);
  return openSqlite(location.file);
}

/** @throws {DatabaseUnusable} for another program's file, because opening it for writing would change it */
async function requireOurs(file: string): Promise<void> {
  const source = openSqliteReadOnly(file);
  try {
    await source.snapshot((reader) => schemaVersion(reader, source.dialect));
  } finally {
    await source.close();
  }
}

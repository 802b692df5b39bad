import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Database, DatabaseUnusable } from '../database/database.ts';
import { isOurs } from '../database/migrations/migrate.ts';
import { type PostgresAddress, parsePostgresAddress } from '../database/postgres/address.ts';
import { openPostgres } from '../database/postgres/open.ts';
import { openSqlite } from '../database/sqlite/open.ts';
import { openSqliteReadOnly } from '../database/sqlite/read-only.ts';
import type { Source } from './copy-database.ts';

/** Where a database is. */
export type Place = { file: string } | { address: PostgresAddress };

type Waiting = Parameters<typeof openPostgres>[1];

/** @throws {DatabaseUnusable} or {AddressError} for what is neither `sqlite:FILE` nor a `postgres://` address */
export function parsePlace(text: string): Place {
  const file = /^sqlite:(.+)$/s.exec(text)?.[1];
  if (file !== undefined) return { file };
  if (/^postgres(ql)?:/.test(text)) return { address: parsePostgresAddress(text) };
  // What it was is not repeated: it may hold a password.
  throw new DatabaseUnusable('Expected sqlite:FILE or postgres://user:password@host:5432/database.');
}

/** The database that the settings name. */
export function configuredPlace({ postgres, dataDirectory }: Config): Place {
  return postgres === null ? { file: join(dataDirectory, 'tradepost.db') } : { address: postgres };
}

/** Whether both are one file, or the same database of the same servers. */
export function isSamePlace(one: Place, other: Place): boolean {
  return identify(one) === identify(other);
}

function identify(place: Place): string {
  if ('file' in place) return existsSync(place.file) ? realpathSync(place.file) : place.file;
  return JSON.stringify([place.address.hosts, place.address.database]);
}

/** Opens a database that is only read. @throws as the engines' own ways of opening one */
export async function openSource(place: Place, waiting: Waiting): Promise<Source> {
  return 'file' in place ? openSqliteReadOnly(place.file) : await openPostgres(place.address, waiting);
}

/** Opens a database, or makes a file. @throws as the engines' own ways of opening one */
export async function openTarget(place: Place, waiting: Waiting): Promise<Database> {
  if ('address' in place) return await openPostgres(place.address, waiting);
  if (existsSync(place.file)) await refuseOthers(place.file);
  return openSqlite(place.file);
}

/** To open a file for writing changes its mode and its format: another program's is to stay as it is. */
async function refuseOthers(file: string): Promise<void> {
  const source = openSqliteReadOnly(file);
  try {
    await source.snapshot((reader) => isOurs(reader, source.dialect, { copying: true }));
  } finally {
    await source.close();
  }
}

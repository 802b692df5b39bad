import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  insertInto,
  type Reader,
  statement,
} from './database.ts';
import { schema } from './schema.ts';

interface Migration {
  purpose: string;
  statements(dialect: Dialect): string[];
}

/** All migrations, in order. Changes of the schema after version 0.1.0 are appended. */
const migrations: Migration[] = [{ purpose: 'create all tables and indexes', statements: schema }];

export const SCHEMA_VERSION = migrations.length;

/** Marks an unfinished copy into a database. */
export const UNFINISHED_COPY = 'tradepost_copy';

const findVersion = statement<unknown, { version: number }>(
  'SELECT coalesce(max(version), 0) AS version FROM tradepost_migrations',
);
const listMigrations = statement<unknown, { version: number; applied_at: number }>(
  'SELECT version, applied_at FROM tradepost_migrations ORDER BY version',
);
const insertMigration = insertInto<{ version: number; applied_at: number }>('tradepost_migrations', [
  'version',
  'applied_at',
]);

/**
 * Migrates the schema in one transaction, once even if several processes start together, and distributes the
 * new tables of a Citus cluster. Resolves to the number of migrations that ran.
 * @throws {DatabaseUnusable} if the database is another program's or newer than this program, or contains an
 *   unfinished copy
 */
export async function migrate(database: Database, now: number): Promise<number> {
  const migrateSchema = async (connection: Connection): Promise<number> => {
    await connection.all(database.dialect.takeGlobalLock);
    const ours = await isOurs(connection, database.dialect);
    if (!ours) await connection.run(statement<unknown, never>(migrationsTable(database.dialect)));
    const due = dueMigrations(await currentVersion(connection), database.dialect);
    await database.dialect.prepareMigration(connection);
    for (const { version, statements } of due) {
      for (const sql of statements) await connection.run(statement<unknown, never>(sql));
      await connection.run(insertMigration, { version, applied_at: now });
    }
    await database.dialect.distributeTables(connection);
    return due.length;
  };
  return await database.transaction(migrateSchema, { longRunning: true });
}

export interface DueMigration {
  /** The version that it leads to. */
  version: number;
  purpose: string;
  statements: string[];
}

function dueMigrations(version: number, dialect: Dialect): DueMigration[] {
  return migrations.slice(version).map(({ purpose, statements }, index) => ({
    version: version + index + 1,
    purpose,
    statements: statements(dialect),
  }));
}

/**
 * Returns what `migrate` would run; for an empty database, also the statement for the table of migrations.
 * @throws {DatabaseUnusable} as `migrate`
 */
export async function planMigrations(reader: Reader, dialect: Dialect): Promise<DueMigration[]> {
  const version = await schemaVersion(reader, dialect);
  return version === 0 ? planSchema(dialect) : dueMigrations(version, dialect);
}

export function planSchema(dialect: Dialect): DueMigration[] {
  const [first, ...others] = dueMigrations(0, dialect);
  if (first === undefined) return [];
  return [{ ...first, statements: [migrationsTable(dialect), ...first.statements] }, ...others];
}

/** @throws {DatabaseUnusable} if this program cannot use the database without migrating it */
export async function requireSchema(reader: Reader, dialect: Dialect): Promise<void> {
  const version = await schemaVersion(reader, dialect);
  if (version === SCHEMA_VERSION) return;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, but this program needs ${SCHEMA_VERSION}. ` +
      'Run “tradepost migrate” on it first.',
  );
}

/**
 * Returns the number of migrations that have run on a database; 0 for an empty one.
 * @throws {DatabaseUnusable} as `requireSchema`, except for a database that is older than this program
 */
export async function schemaVersion(reader: Reader, dialect: Dialect): Promise<number> {
  return (await isOurs(reader, dialect)) ? await currentVersion(reader) : 0;
}

/** A migration that has run. */
export interface AppliedMigration {
  version: number;
  purpose: string;
  /** Milliseconds since 1970. */
  appliedAt: number;
}

/** Resolves to the migrations that have run, in order. */
export async function readMigrations(reader: Pick<Reader, 'all'>): Promise<AppliedMigration[]> {
  const rows = await reader.all(listMigrations);
  return rows.map(({ version, applied_at: appliedAt }) => ({
    version,
    purpose: migrations[version - 1]?.purpose ?? '',
    appliedAt,
  }));
}

async function currentVersion(reader: Reader): Promise<number> {
  const version = await findCurrentVersion(reader);
  if (version <= migrations.length) return version;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, but this program supports only ${migrations.length}. ` +
      'Run the newer version of Tradepost that created it.',
  );
}

async function findCurrentVersion(reader: Reader): Promise<number> {
  try {
    return (await reader.first(findVersion))?.version ?? 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(
      'The database belongs to another program: its table tradepost_migrations is not Tradepost’s.',
    );
  }
}

/**
 * Whether the database has Tradepost's tables; false for an empty one.
 * @throws {DatabaseUnusable} as `migrate`, but does not check the version
 */
async function isOurs(reader: Reader, dialect: Dialect): Promise<boolean> {
  const tables = (await reader.all(dialect.listTables)).map(({ name }) => name);
  if (tables.includes(UNFINISHED_COPY)) {
    throw new DatabaseUnusable(
      'The database contains an unfinished copy. Delete the file, or drop and create the database, and copy again.',
    );
  }
  if (tables.includes('tradepost_migrations')) return true;
  if (tables.length === 0) return false;
  throw new DatabaseUnusable(
    'The database belongs to another program: it has tables, but none are Tradepost’s.',
  );
}

function migrationsTable(dialect: Dialect): string {
  return `CREATE TABLE tradepost_migrations (
      version ${dialect.integer} NOT NULL PRIMARY KEY,
      applied_at ${dialect.integer} NOT NULL
    ) ${dialect.ordinary}`;
}

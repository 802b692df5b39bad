import { setTimeout as pause } from 'node:timers/promises';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  type Reader,
} from './database.ts';
import { schema } from './schema.ts';
import { insertInto, statement } from './statement.ts';

interface Migration {
  purpose: string;
  /**
   * The least schema version whose programs work with the database after it, also beside newer programs.
   * Without it, only programs that know this migration do.
   */
  usableFrom?: number;
  statements(dialect: Dialect): string[];
}

/** All migrations, in order. Changes of the schema after version 0.1.0 are appended. */
const migrations: readonly Migration[] = [{ purpose: 'create all tables and indexes', statements: schema }];

export const SCHEMA_VERSION = migrations.length;

/** How long a migration beside running nodes is tried again if it does not get its locks. */
const MAX_WAIT_MS = 60_000;
/** Nodes continue meanwhile. */
const PAUSE_MS = 500;

/** Marks an unfinished copy into a database. */
export const UNFINISHED_COPY = 'tradepost_copy';

const findVersion = statement<unknown, { version: number; usable_from: number }>(
  `SELECT coalesce(max(version), 0) AS version, coalesce(max(usable_from), 0) AS usable_from
   FROM tradepost_migrations`,
);
const listMigrations = statement<unknown, { version: number; applied_at: number }>(
  'SELECT version, applied_at FROM tradepost_migrations ORDER BY version',
);
const insertMigration = insertInto<{ version: number; applied_at: number; usable_from: number }>(
  'tradepost_migrations',
  ['version', 'applied_at', 'usable_from'],
);

/**
 * Migrates the schema, once even if several processes start together, and distributes the new tables of a
 * Citus cluster. Resolves to the number of migrations that ran. Changes nothing if the database is newer than
 * this program, which can use it.
 *
 * All migrations run in one transaction. But if nodes of the former version can run meanwhile, each has a
 * transaction of its own, which keeps its locks for a shorter time, and is tried again for a minute.
 * @throws {DatabaseUnusable} if the database is another program's or too new for this program, or contains an
 *   unfinished copy
 * @throws {DatabaseUnavailable} if the locks were not available in time
 */
export async function migrate(database: Database, now: number): Promise<number> {
  const { dialect } = database;
  const deadline = performance.now() + MAX_WAIT_MS;
  for (let count = 0; ; ) {
    const planned = await planMigrations(database, dialect);
    // Most starts end here, without a transaction: on SQLite, it would wait for the writes of other nodes.
    if (planned.length === 0 && !(await dialect.isCluster(database))) return count;
    try {
      count += await database.transaction((connection) => runDue(connection, dialect, now), {
        longRunning: true,
      });
      if (planned.length === 0) return count;
    } catch (error) {
      const canWait = error instanceof DatabaseUnavailable && performance.now() < deadline;
      if (!canWait || planned.length === 0 || !keepsFormerPrograms(planned)) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** Runs due migrations, or the first one if nodes can run beside. Resolves to how many ran. */
async function runDue(connection: Connection, dialect: Dialect, now: number): Promise<number> {
  await connection.all(dialect.takeGlobalLock);
  const ours = await isOurs(connection, dialect);
  if (!ours) await connection.run(statement<unknown, never>(migrationsTable(dialect)));
  const all = dueMigrations(await currentVersion(connection), dialect);
  const isBeside = keepsFormerPrograms(all);
  if (isBeside) await connection.all(dialect.waitBrieflyForLocks);
  await dialect.prepareMigration(connection);
  const due = isBeside ? all.slice(0, 1) : all;
  for (const { version, usableFrom, statements } of due) {
    for (const sql of statements) await connection.run(statement<unknown, never>(sql));
    await connection.run(insertMigration, { version, applied_at: now, usable_from: usableFrom });
  }
  await dialect.distributeTables(connection);
  return due.length;
}

export interface DueMigration {
  /** The version that it leads to. */
  version: number;
  purpose: string;
  /** The least schema version whose programs work with the database after it. */
  usableFrom: number;
  statements: string[];
}

function dueMigrations(from: number, dialect: Dialect): DueMigration[] {
  return migrations.slice(from).map(({ purpose, usableFrom, statements }, index) => {
    const version = from + index + 1;
    return { version, purpose, usableFrom: usableFrom ?? version, statements: statements(dialect) };
  });
}

/** Whether programs of the schema version before these migrations can run during them and afterwards. */
export function keepsFormerPrograms(due: readonly DueMigration[]): boolean {
  const former = (due[0]?.version ?? 0) - 1;
  return due.every(({ usableFrom }) => usableFrom <= former);
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
  if (version >= SCHEMA_VERSION) return;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, but this program needs ${SCHEMA_VERSION}. ` +
      'Run “tradepost migrate” on it first.',
  );
}

/** @throws {DatabaseUnusable} as `requireSchema`, or if a newer program has migrated the database */
export async function requireSameSchema(reader: Reader, dialect: Dialect): Promise<void> {
  await requireSchema(reader, dialect);
  const version = await schemaVersion(reader, dialect);
  if (version === SCHEMA_VERSION) return;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, but this program knows only ${SCHEMA_VERSION}. ` +
      'Use the newer version of Tradepost that migrated it.',
  );
}

/**
 * Returns the number of migrations that have run on a database; 0 for an empty one. It is greater than
 * `SCHEMA_VERSION` if a newer program has migrated the database, and this one can still use it.
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
    purpose: migrations[version - 1]?.purpose ?? 'a migration of a newer version',
    appliedAt,
  }));
}

async function currentVersion(reader: Reader): Promise<number> {
  const { version, usable_from: usableFrom } = await findCurrentVersion(reader);
  if (version <= SCHEMA_VERSION || usableFrom <= SCHEMA_VERSION) return version;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, but this program supports only ${SCHEMA_VERSION}. ` +
      'Run the newer version of Tradepost that migrated it, or restore the backup from before the migration.',
  );
}

async function findCurrentVersion(reader: Reader): Promise<{ version: number; usable_from: number }> {
  try {
    return (await reader.first(findVersion)) ?? { version: 0, usable_from: 0 };
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
      applied_at ${dialect.integer} NOT NULL,
      usable_from ${dialect.integer} NOT NULL
    ) ${dialect.ordinary}`;
}

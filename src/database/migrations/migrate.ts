import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  type Reader,
  type Statement,
  statement,
} from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';
import { manyNodes } from './0002-many-nodes.ts';
import { consoleTables } from './0003-console.ts';
import { uploadsTable } from './0004-uploads.ts';
import { filtersInSorts } from './0005-filters-in-sorts.ts';
import { budgetUses } from './0006-budgets.ts';
import { moderation } from './0007-moderation.ts';
import { consoleLimits } from './0008-console-limits.ts';

/** Every migration ever released, in order; the list only grows. */
const migrations: ((dialect: Dialect) => string[])[] = [
  initialSchema,
  manyNodes,
  consoleTables,
  uploadsTable,
  filtersInSorts,
  budgetUses,
  moderation,
  consoleLimits,
];

/** The schema version of this program. */
export const SCHEMA_VERSION = migrations.length;

/** The table that a database has for as long as a copy into it is unfinished. */
export const UNFINISHED_COPY = 'tradepost_copy';

const findVersion = statement<{ version: number }>(
  'SELECT coalesce(max(version), 0) AS version FROM tradepost_migrations',
);
const insertMigration = statement('INSERT INTO tradepost_migrations (version, applied_at) VALUES (?, ?)');

/**
 * Brings the schema up to this program's, in one transaction: all of it or nothing, and once however many
 * processes start together.
 * Resolves to the number of migrations that ran.
 * @throws {DatabaseUnusable} when the database is another program's, newer than this program, or holds an
 *   unfinished copy and it is not the copy itself that asks
 */
export async function migrate(
  database: Database,
  now: number,
  { copying = false }: { copying?: boolean } = {},
): Promise<number> {
  const bringUp = async (connection: Connection): Promise<number> => {
    await connection.all(database.dialect.takeTurns);
    const ours = await isOurs(connection, database.dialect, { copying });
    if (!ours) await connection.run(migrationsTable(database.dialect));
    const version = await currentVersion(connection);
    const due = migrations.slice(version);
    for (const [index, migration] of due.entries()) {
      for (const sql of migration(database.dialect)) await connection.run({ sql });
      await connection.run(insertMigration, [version + index + 1, now]);
    }
    return due.length;
  };
  return await database.transaction(bringUp, { unhurried: true });
}

/**
 * Checks, and changes nothing.
 * @throws {DatabaseUnusable} when this program could not use the database as it is
 */
export async function requireSchema(reader: Reader, dialect: Dialect): Promise<void> {
  const version = await schemaVersion(reader, dialect);
  if (version === SCHEMA_VERSION) return;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, and this program’s is ${SCHEMA_VERSION}: ` +
      'run “tradepost migrate” on it first.',
  );
}

/**
 * How many of our migrations have run on a database; 0 for an empty one.
 * @throws {DatabaseUnusable} as `requireSchema`, but for one that is older than this program
 */
export async function schemaVersion(reader: Reader, dialect: Dialect): Promise<number> {
  return (await isOurs(reader, dialect, { copying: false })) ? await currentVersion(reader) : 0;
}

async function currentVersion(reader: Reader): Promise<number> {
  const version = await findCurrentVersion(reader);
  if (version <= migrations.length) return version;
  throw new DatabaseUnusable(
    `The database has schema version ${version}, and this program knows only ${migrations.length}: ` +
      'run the newer program that made it.',
  );
}

async function findCurrentVersion(reader: Reader): Promise<number> {
  try {
    return (await reader.first(findVersion))?.version ?? 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseUnusable) throw error;
    throw new DatabaseUnusable(
      'The database belongs to another program: its tradepost_migrations is not ours.',
    );
  }
}

/**
 * Whether the database holds our tables; false for an empty one, which can become ours.
 * @throws {DatabaseUnusable} as `migrate`, but for versions
 */
export async function isOurs(
  reader: Reader,
  dialect: Dialect,
  { copying }: { copying: boolean },
): Promise<boolean> {
  const tables = (await reader.all(dialect.listTables)).map(({ name }) => name);
  if (tables.includes(UNFINISHED_COPY) && !copying) {
    throw new DatabaseUnusable(
      'The database holds an unfinished copy: run “tradepost copy” again to finish it.',
    );
  }
  if (tables.includes('tradepost_migrations')) return true;
  if (tables.length === 0) return false;
  throw new DatabaseUnusable(
    'The database belongs to another program: it has tables, but none of Tradepost’s.',
  );
}

function migrationsTable(dialect: Dialect): Statement {
  return statement(`CREATE TABLE tradepost_migrations (
      version ${dialect.integer} NOT NULL PRIMARY KEY,
      applied_at ${dialect.integer} NOT NULL
    ) ${dialect.ordinary}`);
}

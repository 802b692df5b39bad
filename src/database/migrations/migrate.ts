import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  statement,
} from '../database.ts';
import { initialSchema } from './0001-initial-schema.ts';
import { manyNodes } from './0002-many-nodes.ts';
import { consoleTables } from './0003-console.ts';
import { uploadsTable } from './0004-uploads.ts';

/** Every migration ever released, in order; the list only grows. */
const migrations: ((dialect: Dialect) => string[])[] = [
  initialSchema,
  manyNodes,
  consoleTables,
  uploadsTable,
];

const findVersion = statement<{ version: number }>(
  'SELECT coalesce(max(version), 0) AS version FROM tradepost_migrations',
);
const insertMigration = statement('INSERT INTO tradepost_migrations (version, applied_at) VALUES (?, ?)');

/**
 * Brings the schema up to this program's, in one transaction: all of it or nothing, and once however many
 * processes start together.
 * Resolves to the number of migrations that ran.
 * @throws {DatabaseUnusable} when the database is another program's, or newer than this program
 */
export async function migrate(database: Database, now: number): Promise<number> {
  const bringUp = async (connection: Connection): Promise<number> => {
    await connection.all(database.dialect.takeTurns);
    await claim(connection, database.dialect);
    const version = await currentVersion(connection);
    if (version > migrations.length) {
      throw new DatabaseUnusable(
        `The database has schema version ${version}, and this program knows only ${migrations.length}: ` +
          'run the newer program that made it.',
      );
    }
    const due = migrations.slice(version);
    for (const [index, migration] of due.entries()) {
      for (const sql of migration(database.dialect)) await connection.run({ sql });
      await connection.run(insertMigration, [version + index + 1, now]);
    }
    return due.length;
  };
  return await database.transaction(bringUp, { unhurried: true });
}

async function currentVersion(connection: Connection): Promise<number> {
  try {
    return (await connection.first(findVersion))?.version ?? 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new DatabaseUnusable(
      'The database belongs to another program: its tradepost_migrations is not ours.',
    );
  }
}

/** Makes the table of migrations in an empty database, and refuses one that somebody else's tables are in. */
async function claim(connection: Connection, dialect: Dialect): Promise<void> {
  const tables = await connection.all(dialect.listTables);
  if (tables.some(({ name }) => name === 'tradepost_migrations')) return;
  if (tables.length > 0) {
    throw new DatabaseUnusable(
      'The database belongs to another program: it has tables, but none of Tradepost’s.',
    );
  }
  await connection.run({
    sql: `CREATE TABLE tradepost_migrations (
      version ${dialect.integer} NOT NULL PRIMARY KEY,
      applied_at ${dialect.integer} NOT NULL
    ) ${dialect.ordinary}`,
  });
}

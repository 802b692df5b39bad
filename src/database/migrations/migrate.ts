import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  insertInto,
  type Reader,
  statement,
} from '../database.ts';
import { fillFacets, fillSearchIndex } from '../search-index/fill-index.ts';
import { initialSchema } from './0001-initial-schema.ts';
import { manyNodes } from './0002-many-nodes.ts';
import { consoleTables } from './0003-console.ts';
import { uploadsTable } from './0004-uploads.ts';
import { filtersInSorts } from './0005-filters-in-sorts.ts';
import { budgetUses } from './0006-budgets.ts';
import { moderation } from './0007-moderation.ts';
import { consoleLimits } from './0008-console-limits.ts';
import { passwordCosts } from './0009-password-costs.ts';
import { distribution } from './0010-distribution.ts';
import { prepareWriting } from './0011-writing.ts';
import { followChanges } from './0012-changes.ts';
import { changeCampaigns } from './0013-campaign-changes.ts';
import { salesLines } from './0014-sales-lines.ts';
import { searchTables } from './0015-search.ts';
import { testSides } from './0016-test-sides.ts';
import { imports } from './0017-imports.ts';
import { operatorApi } from './0018-operator.ts';
import { events } from './0019-events.ts';
import { webhooks } from './0020-webhooks.ts';
import { operatorData } from './0021-operator-data.ts';
import { mail } from './0022-mail.ts';
import { people } from './0023-people.ts';
import { requestLog } from './0024-request-log.ts';
import { campaignProducts } from './0025-campaign-products.ts';
import { dailyWork } from './0026-daily-work.ts';
import { uploadChanges } from './0027-upload-changes.ts';
import { renames } from './0028-renames.ts';
import { webhookLimits } from './0029-webhook-limits.ts';
import { fillCampaignNames } from './fill-campaign-names.ts';

/** A step from one schema version to the next. */
interface Migration {
  /** What it does, for the operator. */
  purpose: string;
  statements(dialect: Dialect): string[];
  /** Runs after the statements, for what SQL cannot do. */
  fill?(connection: Connection): Promise<void>;
}

/** All migrations, in order. New ones are appended. */
const migrations: Migration[] = [
  { purpose: 'create the first tables', statements: initialSchema },
  { purpose: 'prepare for many processes', statements: manyNodes },
  { purpose: 'create the tables of the console', statements: consoleTables },
  { purpose: 'create the table of uploaded files', statements: uploadsTable },
  { purpose: 'add categories to the indexes that lists are sorted by', statements: filtersInSorts },
  { purpose: 'create the table of daily budgets', statements: budgetUses },
  { purpose: 'separate moderation from the status', statements: moderation },
  { purpose: 'add indexes for the console, and the browsers of sessions', statements: consoleLimits },
  { purpose: 'store the cost of each password hash', statements: passwordCosts },
  {
    purpose: 'keep what a merchant writes in its own tables, for distributed databases',
    statements: distribution,
  },
  { purpose: 'prepare the calls that write', statements: prepareWriting },
  { purpose: 'record the order of changes', statements: followChanges },
  { purpose: 'prepare the calls that change campaigns', statements: changeCampaigns },
  { purpose: 'list schedules', statements: salesLines },
  {
    purpose: 'create the search index, which the program then fills from the products',
    statements: searchTables,
    fill: fillSearchIndex,
  },
  { purpose: 'give merchants a test side', statements: testSides },
  { purpose: 'prepare imports through the API', statements: imports },
  { purpose: 'prepare the operator API', statements: operatorApi },
  { purpose: 'create the tables of events', statements: events },
  { purpose: 'create the tables of webhooks', statements: webhooks },
  { purpose: 'list changes of campaigns, and store the reasons of moderation', statements: operatorData },
  { purpose: 'create the queue of mail', statements: mail },
  { purpose: 'give console users a role', statements: people },
  { purpose: 'create the log of failed calls and the counts of calls', statements: requestLog },
  { purpose: 'list the products of campaigns', statements: campaignProducts, fill: fillCampaignNames },
  {
    purpose: 'add the values that the console filters products by to the search index, and saved views',
    statements: dailyWork,
    fill: fillFacets,
  },
  { purpose: 'store what an uploaded file would change, for its preview', statements: uploadChanges },
  { purpose: 'move products with the names of their campaigns', statements: renames },
  {
    purpose: 'store how long webhooks wait, their replays, and their last reports',
    statements: webhookLimits,
  },
];

/** The schema version of this program. */
export const SCHEMA_VERSION = migrations.length;

/** The table that marks an unfinished copy into a database. */
export const UNFINISHED_COPY = 'tradepost_copy';

const findVersion = statement<unknown, { version: number }>(
  'SELECT coalesce(max(version), 0) AS version FROM tradepost_migrations',
);
const insertMigration = insertInto<{ version: number; applied_at: number }>('tradepost_migrations', [
  'version',
  'applied_at',
]);

/**
 * Migrates the schema to this program's version, in one transaction, once even if several processes start together.
 * On a Citus cluster, it also distributes new tables over the nodes. Resolves to the number of migrations that ran.
 * @throws {DatabaseUnusable} if the database is another program's or newer than this program, or if it contains an
 *   unfinished copy and `copying` is not set
 */
export async function migrate(
  database: Database,
  now: number,
  { copying = false }: { copying?: boolean } = {},
): Promise<number> {
  const migrateSchema = async (connection: Connection): Promise<number> => {
    await connection.all(database.dialect.takeGlobalLock);
    const ours = await isOurs(connection, database.dialect, { copying });
    if (!ours) await connection.run(statement<unknown, never>(migrationsTable(database.dialect)));
    const due = dueMigrations(await currentVersion(connection), database.dialect);
    await database.dialect.prepareMigration(connection);
    for (const { version, statements } of due) {
      for (const sql of statements) await connection.run(statement<unknown, never>(sql));
      await migrations[version - 1]?.fill?.(connection);
      await connection.run(insertMigration, { version, applied_at: now });
    }
    await database.dialect.distributeTables(connection);
    return due.length;
  };
  return await database.transaction(migrateSchema, { longRunning: true });
}

/** A migration that has not run yet. */
export interface DueMigration {
  /** The schema version that it leads to. */
  version: number;
  /** What it does, for the operator. */
  purpose: string;
  /** SQL, in order. */
  statements: string[];
}

/** Returns the migrations that lead from a schema version to this program's. */
function dueMigrations(version: number, dialect: Dialect): DueMigration[] {
  return migrations.slice(version).map(({ purpose, statements }, index) => ({
    version: version + index + 1,
    purpose,
    statements: statements(dialect),
  }));
}

/**
 * Returns what `migrate` would run on a database. For an empty one, the first statement creates the table in which
 * migrations are recorded. The statements that record them are left out.
 * @throws {DatabaseUnusable} as `migrate`
 */
export async function planMigrations(reader: Reader, dialect: Dialect): Promise<DueMigration[]> {
  const version = await schemaVersion(reader, dialect);
  return version === 0 ? planSchema(dialect) : dueMigrations(version, dialect);
}

/** Returns what `planMigrations` returns for an empty database. */
export function planSchema(dialect: Dialect): DueMigration[] {
  const [first, ...others] = dueMigrations(0, dialect);
  if (first === undefined) return [];
  return [{ ...first, statements: [migrationsTable(dialect), ...first.statements] }, ...others];
}

/**
 * Checks that the database has this program's schema version.
 * @throws {DatabaseUnusable} if this program cannot use the database without migrating it
 */
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
  return (await isOurs(reader, dialect, { copying: false })) ? await currentVersion(reader) : 0;
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
export async function isOurs(
  reader: Reader,
  dialect: Dialect,
  { copying }: { copying: boolean },
): Promise<boolean> {
  const tables = (await reader.all(dialect.listTables)).map(({ name }) => name);
  if (tables.includes(UNFINISHED_COPY) && !copying) {
    throw new DatabaseUnusable(
      'The database contains an unfinished copy. Run “tradepost copy” again to finish it.',
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

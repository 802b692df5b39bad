import { Command } from 'commander';
import {
  type DueMigration,
  keepsFormerPrograms,
  planMigrations,
  planSchema,
  SCHEMA_VERSION,
} from '../database/migrate.ts';
import { openDatabaseReadOnly } from '../database/open-database.ts';
import { dialect as sqliteDialect } from '../database/sqlite/dialect.ts';
import { type Context, readConfig, withDatabase } from './context.ts';

const UP_TO_DATE = 'The schema is up to date.';

/** Without `--dry-run`, it only opens the database, which migrates it, as `serve` does. */
export function migrateCommand(context: Context): Command {
  return new Command('migrate')
    .description("migrate the database schema to this program's version")
    .option('--dry-run', 'print the migrations that would run; changes nothing')
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => {
      if (dryRun) context.print(describe(await plan(context)));
      else await withDatabase(context, async () => context.print(UP_TO_DATE));
    });
}

async function plan(context: Context): Promise<DueMigration[]> {
  const database = await openDatabaseReadOnly(readConfig(context), context.warn);
  if (database === null) return planSchema(sqliteDialect);
  try {
    return await database.snapshot((reader) => planMigrations(reader, database.dialect));
  } finally {
    await database.close();
  }
}

function describe(due: readonly DueMigration[]): string {
  const [first] = due;
  if (first === undefined) return UP_TO_DATE;
  const from = first.version - 1;
  const summary =
    from === 0
      ? 'The database is empty. "tradepost migrate" would create the schema, in one transaction:'
      : `The database has schema version ${from}, and this program needs ${SCHEMA_VERSION}. ` +
        `"tradepost migrate" would run these migrations, in one transaction. ${aboutFormerPrograms(due)}:`;
  const migrations = due.map(({ version, purpose, statements }) =>
    [`-- ${version}: ${purpose}`, ...statements.map((sql) => `${formatSql(sql)};`)].join('\n'),
  );
  return [summary, ...migrations].join('\n\n');
}

function aboutFormerPrograms(due: readonly DueMigration[]): string {
  return keepsFormerPrograms(due)
    ? 'Nodes of the former version can run meanwhile and afterwards'
    : 'Stop nodes of the former version first, because they cannot use the database afterwards';
}

/** Replaces the source code's indentation. */
function formatSql(sql: string): string {
  const [first = '', ...others] = sql.split('\n').map((line) => line.trim());
  return [first, ...others.map((line) => (line.startsWith(')') ? line : `  ${line}`))].join('\n');
}

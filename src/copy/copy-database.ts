import { type Database, DatabaseUnusable, type Reader } from '../database/database.ts';
import { migrate, requireSameSchema, schemaVersion, UNFINISHED_COPY } from '../database/migrate.ts';
import { statement } from '../database/statement.ts';
import { listMerchantsById } from '../merchants/queries.ts';
import { type CopiedTable, compare, isEqual, type TableResult } from './compare.ts';
import { namingSide } from './copy-stopped.ts';
import { copyTable } from './copy-table.ts';
import { countAll, listMerchantIds } from './sections.ts';
import { readColumns, tables } from './tables.ts';

export type CopySource = Pick<Database, 'dialect' | 'snapshot' | 'close'>;

/** Receives the progress of a copy. */
export interface Progress {
  /** Called once with the number of rows to handle. Each row counts twice: it is copied, then compared. */
  onBegin(rows: number): void;
  onRows(rows: number): void;
  onTable(result: CopiedTable): void;
}

/**
 * Copies a snapshot of the source into an empty target, whatever is written to the source meanwhile, and
 * compares both at the end. No service can start on the target before all of it is equal. After a failure,
 * the target must be emptied before the next copy.
 * @throws {CopyStopped} with a line for the operator
 */
export async function copyDatabase(
  source: CopySource,
  target: Database,
  { now, progress }: { now: number; progress: Progress },
): Promise<TableResult[]> {
  return await namingSide('--from', () =>
    source.snapshot(async (reader) => {
      await requireSameSchema(reader, source.dialect);
      return await copySnapshot(reader, target, now, progress);
    }),
  );
}

async function copySnapshot(
  source: Reader,
  target: Database,
  now: number,
  progress: Progress,
): Promise<TableResult[]> {
  await namingSide('--to', () => markUnfinished(target, now));
  const merchantIds = await listMerchantIds(source);
  progress.onBegin(2 * (await countAll(source, merchantIds)));
  const copied: CopiedTable[] = [];
  for (const each of tables) {
    const table = await namingSide('--to', () => readColumns(target, each));
    const result = await copyTable(source, target, table, merchantIds, progress.onRows);
    progress.onTable(result);
    copied.push(result);
  }
  return await namingSide('--to', async () => {
    await target.updateStatistics();
    const results = await compare(target, copied, progress.onRows);
    if (results.every(isEqual)) await markFinished(target);
    return results;
  });
}

/**
 * Creates the schema in an empty database, and the table that keeps every program from using the database.
 * @throws {DatabaseUnusable} if the database is not empty
 */
async function markUnfinished(target: Database, now: number): Promise<void> {
  await migrate(target, now);
  await target.transaction(async (connection) => {
    await connection.all(target.dialect.takeGlobalLock);
    // Another copy may have begun since the migration.
    await schemaVersion(connection, target.dialect);
    if ((await connection.first(listMerchantsById)) !== undefined) {
      throw new DatabaseUnusable(
        'The database already has merchants. Copy into a new file, or into a database that you have just created.',
      );
    }
    const { integer, ordinary } = target.dialect;
    const create = `CREATE TABLE ${UNFINISHED_COPY} (started_at ${integer} NOT NULL) ${ordinary}`;
    await connection.run(statement<unknown, never>(create));
  });
}

async function markFinished(target: Database): Promise<void> {
  const drop = statement<unknown, never>(`DROP TABLE ${UNFINISHED_COPY}`);
  await target.transaction((connection) => connection.run(drop));
}

import { randomUUID } from 'node:crypto';
import type { Database, Reader } from '../database/database.ts';
import { migrate, requireSchema } from '../database/migrate.ts';
import { type CopiedTable, compare, isEqual, type TableResult } from './compare.ts';
import { namingSide } from './copy-stopped.ts';
import { copyTable } from './copy-table.ts';
import { beginCopy, finishCopy } from './mark.ts';
import { listMerchantIds, removeOtherMerchants } from './merchants.ts';
import { countAll } from './sections.ts';
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
 * Makes the target equal to a snapshot of the source, whatever is written to the source meanwhile, and compares both
 * at the end. The target must be empty or contain the result of an earlier run. In the second case, only differences
 * are written. No service can start on the target before all of it is equal.
 * @throws {CopyStopped} with a line for the operator; the copy can be run again
 */
export async function copyDatabase(
  source: CopySource,
  target: Database,
  { now, progress }: { now: number; progress: Progress },
): Promise<TableResult[]> {
  return await namingSide('--from', () =>
    source.snapshot(async (reader) => {
      await requireSchema(reader, source.dialect);
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
  const run = randomUUID();
  const empty = await namingSide('--to', async () => {
    await migrate(target, now, { copying: true });
    return await beginCopy(target, run);
  });
  const merchantIds = await listMerchantIds(source);
  progress.onBegin(2 * (await countAll(source, merchantIds)));
  if (!empty) {
    await namingSide('--to', async () => {
      await removeOtherMerchants(target, run, merchantIds);
      // Copied rows are looked up by key. Without statistics, PostgreSQL would sort all of them each time.
      await target.updateStatistics();
    });
  }
  const copied: CopiedTable[] = [];
  for (const each of tables) {
    const table = await namingSide('--to', () => readColumns(target, each));
    const result = await copyTable({ source, target, run, empty }, table, merchantIds, progress.onRows);
    progress.onTable(result);
    copied.push(result);
  }
  return await namingSide('--to', async () => {
    await target.updateStatistics();
    const results = await compare(target, copied, progress.onRows);
    if (results.every(isEqual)) await finishCopy(target, run);
    return results;
  });
}

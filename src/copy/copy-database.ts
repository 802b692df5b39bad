import { randomUUID } from 'node:crypto';
import type { Database, Reader } from '../database/database.ts';
import { migrate, requireSchema } from '../database/migrations/migrate.ts';
import { type CopiedTable, compare, isEqual, type TableResult } from './compare.ts';
import { naming } from './copy-stopped.ts';
import { copyTable } from './copy-table.ts';
import { beginCopy, finishCopy } from './mark.ts';
import { listMerchantIds, removeOtherMerchants } from './merchants.ts';
import { countAll } from './sections.ts';
import { tables } from './tables.ts';

export type Source = Pick<Database, 'dialect' | 'snapshot' | 'close'>;

/** Told how a copy gets on. */
export interface Progress {
  /** So many rows will be handled: each is copied, and compared at the end. */
  onBegin(rows: number): void;
  onRows(rows: number): void;
  onTable(result: CopiedTable): void;
}

/**
 * Makes the target the same as the source is at one moment, whatever is written to the source meanwhile,
 * and compares both at the end. The target has to be empty, or what an earlier run left of it: then only
 * what differs is written. Nobody can serve the target before everything in it is equal.
 * @throws {CopyStopped} with a line for the operator; it can be run again
 */
export async function copyDatabase(
  source: Source,
  target: Database,
  { now, progress }: { now: number; progress: Progress },
): Promise<TableResult[]> {
  return await naming('--from', () =>
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
  const empty = await naming('--to', async () => {
    await migrate(target, now, { copying: true });
    return await beginCopy(target, run);
  });
  const merchantIds = await listMerchantIds(source);
  progress.onBegin(2 * (await countAll(source, merchantIds)));
  if (!empty) {
    await naming('--to', async () => {
      await removeOtherMerchants(target, run, merchantIds);
      // What an earlier run copied is looked for by key: without figures the server would sort it all.
      await target.settle();
    });
  }
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    const result = await copyTable({ source, target, run, empty }, table, merchantIds, progress.onRows);
    progress.onTable(result);
    copied.push(result);
  }
  return await naming('--to', async () => {
    await target.settle();
    const results = await compare(target, copied, progress.onRows);
    if (results.every(isEqual)) await finishCopy(target, run);
    return results;
  });
}

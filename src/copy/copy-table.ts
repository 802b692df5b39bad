import type { Database, Reader } from '../database/database.ts';
import { Checksum, type CopiedRow, canonicalText } from './checksum.ts';
import type { CopiedTable } from './compare.ts';
import { namingSide } from './copy-stopped.ts';
import { pagesOf } from './pages.ts';
import { insertRow } from './queries.ts';
import type { TableWithColumns } from './tables.ts';

/** A transaction is written when it has this many rows, or this many characters of them, of any merchants. */
const TRANSACTION_ROWS = 2_000;
const TRANSACTION_LENGTH = 4 * 1024 * 1024;

/**
 * Copies the rows of a table. Each transaction is written while the pages of the next one are read. Calls
 * `onRows` with the number of rows that were read.
 * @throws {CopyStopped} if the target cannot be written
 */
export async function copyTable(
  source: Reader,
  target: Database,
  table: TableWithColumns,
  merchantIds: readonly number[],
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  const checksum = new Checksum();
  let waiting: CopiedRow[] = [];
  let length = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    const rows = waiting;
    [waiting, length] = [[], 0];
    await writing;
    writing = namingSide('--to', () => insertRows(target, table, rows));
    // The next flush or the end throws the error.
    writing.catch(() => {});
  };
  for await (const rows of pagesOf(source, table, merchantIds)) {
    const text = canonicalText(table.columns, rows);
    checksum.add(rows.length, text);
    waiting.push(...rows);
    length += text.length;
    if (waiting.length >= TRANSACTION_ROWS || length >= TRANSACTION_LENGTH) await flush();
    onRows(rows.length);
  }
  await flush();
  await writing;
  return { table, source: checksum.result() };
}

async function insertRows(target: Database, table: TableWithColumns, rows: CopiedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await target.transaction((connection) => connection.runEach(insertRow(table), rows), { longRunning: true });
}

import type { Database } from '../database/database.ts';
import { Checksum, type Contents, canonicalText } from './checksum.ts';
import { pagesOf } from './pages.ts';
import { listMerchantIds } from './sections.ts';
import type { TableWithColumns } from './tables.ts';

/** A table that was copied. */
export interface CopiedTable {
  table: TableWithColumns;
  source: Contents;
}

/** A copied table with what the target contains after the run. */
export interface TableResult extends CopiedTable {
  target: Contents;
}

/** Whether a table has the same rows in both databases. */
export function isEqual({ source, target }: TableResult): boolean {
  return source.rows === target.rows && source.checksum === target.checksum;
}

/** Reads all copied tables of the target again, in one snapshot, and adds their contents. */
export async function compare(
  target: Database,
  copied: CopiedTable[],
  onRows: (rows: number) => void,
): Promise<TableResult[]> {
  return await target.snapshot(async (reader) => {
    const merchantIds = await listMerchantIds(reader);
    const results: TableResult[] = [];
    for (const result of copied) {
      const checksum = new Checksum();
      for await (const rows of pagesOf(reader, result.table, merchantIds)) {
        checksum.add(rows.length, canonicalText(result.table.columns, rows));
        onRows(rows.length);
      }
      results.push({ ...result, target: checksum.result() });
    }
    return results;
  });
}

import type { Database } from '../database/database.ts';
import { Checksum, type Contents, canonicalText } from './checksum.ts';
import { listMerchantIds } from './merchants.ts';
import { pagesOf } from './pages.ts';
import { sectionsOf } from './sections.ts';
import type { Table } from './tables.ts';

/** What one run came to for a table, before anything is compared. */
export interface CopiedTable {
  table: Table;
  source: Contents;
  /** Rows that this run wrote. */
  written: number;
}

/** The same, with what is in the target in the end. */
export interface TableResult extends CopiedTable {
  target: Contents;
}

export function isEqual({ source, target }: TableResult): boolean {
  return source.rows === target.rows && source.checksum === target.checksum;
}

/** Reads all of the target again, as it is at one moment. */
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
      for (const section of sectionsOf(result.table, merchantIds)) {
        for await (const { rows } of pagesOf(reader, section)) {
          checksum.add(rows.length, canonicalText(rows));
          onRows(rows.length);
        }
      }
      results.push({ ...result, target: checksum.result() });
    }
    return results;
  });
}

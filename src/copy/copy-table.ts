import type { Database, Reader } from '../database/database.ts';
import { Checksum, canonicalText } from './checksum.ts';
import type { CopiedTable } from './compare.ts';
import { namingSide } from './copy-stopped.ts';
import { type Page, pagesOf, readPage } from './pages.ts';
import { sectionsOf } from './sections.ts';
import type { TableWithColumns } from './tables.ts';
import { TargetWriter } from './target-writer.ts';

/**
 * Makes a table of the target equal to the source's. Pages that are equal already are not written again, and an
 * `empty` target is not read. Calls `onRows` with the number of rows that were handled.
 * @throws {CopyStopped} if the target cannot be read or written
 */
export async function copyTable(
  { source, target, run, empty }: { source: Reader; target: Database; run: string; empty: boolean },
  table: TableWithColumns,
  merchantIds: readonly number[],
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  const checksum = new Checksum();
  const writer = new TargetWriter(target, run, table);
  let written = 0;
  for (const section of sectionsOf(table, merchantIds)) {
    let occupied = !empty;
    for await (const page of pagesOf(source, section)) {
      const text = canonicalText(table.columns, page.rows);
      checksum.add(page.rows.length, text);
      const existing = occupied
        ? await namingSide('--to', () => readPage(target, section, page.after))
        : EMPTY_PAGE;
      // If the target has no rows after this key, it has none after later keys either.
      occupied = existing.rows.length > 0;
      const isSame =
        endsSection(existing) === endsSection(page) && canonicalText(table.columns, existing.rows) === text;
      if (!isSame) {
        await writer.replace(section, page, text.length, occupied);
        written += page.rows.length;
      }
      onRows(page.rows.length);
    }
  }
  await writer.end();
  return { table, source: checksum.result(), written };
}

const EMPTY_PAGE: Page = { rows: [], after: undefined, upTo: undefined };

function endsSection({ upTo }: Page): boolean {
  return upTo === undefined;
}

import type { Database, Reader } from '../database/database.ts';
import { Checksum, canonicalText } from './checksum.ts';
import type { CopiedTable } from './compare.ts';
import { naming } from './copy-stopped.ts';
import { type Page, pagesOf, readPage } from './pages.ts';
import { sectionsOf } from './sections.ts';
import type { Table } from './tables.ts';
import { TargetWriter } from './target-writer.ts';

/**
 * Makes a table of the target the same as the source's: what is the same there already stays, and nothing
 * is asked of a target that is `empty`. `onRows` is told of rows that are done with.
 * @throws {CopyStopped} where the target cannot be read or written
 */
export async function copyTable(
  { source, target, run, empty }: { source: Reader; target: Database; run: string; empty: boolean },
  table: Table,
  merchantIds: readonly number[],
  onRows: (rows: number) => void,
): Promise<CopiedTable> {
  const checksum = new Checksum();
  const writer = new TargetWriter(target, run, table);
  let written = 0;
  for (const section of sectionsOf(table, merchantIds)) {
    let occupied = !empty;
    for await (const page of pagesOf(source, section)) {
      const text = canonicalText(page.rows);
      checksum.add(page.rows.length, text);
      const there = occupied ? await naming('--to', () => readPage(target, section, page.after)) : NOTHING;
      // Where nothing comes after a key, nothing comes after a later one either.
      occupied = there.rows.length > 0;
      if (!isSame(there, page, text)) {
        await writer.replace(section, page, text.length, occupied);
        written += page.rows.length;
      }
      onRows(page.rows.length);
    }
  }
  await writer.end();
  return { table, source: checksum.result(), written };
}

const NOTHING: Page = { rows: [], after: undefined, upTo: undefined };

function isSame(there: Page, page: Page, text: string): boolean {
  const bothEnd = (there.upTo === undefined) === (page.upTo === undefined);
  return bothEnd && canonicalText(there.rows) === text;
}

import type { Reader } from '../database/database.ts';
import type { CopiedRow } from './checksum.ts';
import { afterParameters, listRowsAfter, listSizesAfter } from './queries.ts';
import { type Section, sectionsOf } from './sections.ts';
import type { TableWithColumns } from './tables.ts';

/** The largest page, in rows and in bytes of the large column. A larger row is a page of its own. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Yields all rows of a table, in pages, in the order of the given merchants and the primary key. */
export async function* pagesOf(
  reader: Reader,
  table: TableWithColumns,
  merchantIds: readonly number[],
): AsyncGenerator<CopiedRow[]> {
  for (const section of sectionsOf(table, merchantIds)) {
    for (let after: CopiedRow | undefined, limit = 0, read = 0; read === limit; ) {
      limit = await pageLength(reader, section, after);
      const page = { ...section.owner, ...afterParameters(table, after), limit };
      const rows = await reader.all(listRowsAfter(table, after !== undefined), page);
      yield rows;
      after = rows.at(-1);
      read = rows.length;
    }
  }
}

/** Returns how many rows a page may have, at least one. */
async function pageLength(
  reader: Reader,
  { table, owner }: Section,
  after: CopiedRow | undefined,
): Promise<number> {
  if (table.large === undefined) return PAGE_ROWS;
  const page = { ...owner, ...afterParameters(table, after), limit: PAGE_ROWS };
  const sizes = await reader.all(listSizesAfter(table, table.large, after !== undefined), page);
  let bytes = 0;
  const end = sizes.findIndex((row) => {
    bytes += row.bytes;
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? PAGE_ROWS : Math.max(1, end);
}

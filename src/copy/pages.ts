import type { Reader } from '../database/database.ts';
import type { CopiedRow } from './checksum.ts';
import { boundParameters, keyInSection, listRowsAfter, listSizesAfter } from './queries.ts';
import type { Section } from './sections.ts';
import type { TableWithColumns } from './tables.ts';

/** The largest page, in rows and in bytes of the table's large column. A single larger row is a page of its own. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Consecutive rows by primary key. The same rows after the same key are the same page in every database. */
export interface Page {
  rows: CopiedRow[];
  /** The key before the first row; undefined at the beginning of the section. */
  after: CopiedRow | undefined;
  /** The key of the last row; undefined if the section has no rows after this page. */
  upTo: CopiedRow | undefined;
}

/** Yields all rows of a section, in pages. */
export async function* pagesOf(reader: Reader, section: Section<TableWithColumns>): AsyncGenerator<Page> {
  let after: CopiedRow | undefined;
  do {
    const page = await readPage(reader, section, after);
    yield page;
    after = page.upTo;
  } while (after !== undefined);
}

/** Reads the page of a section that begins after a key. */
export async function readPage(
  reader: Reader,
  section: Section<TableWithColumns>,
  after: CopiedRow | undefined,
): Promise<Page> {
  const { table, owner } = section;
  const limit = await pageLength(reader, section, after);
  const rows = await reader.all(listRowsAfter(table, after !== undefined), {
    ...owner,
    ...boundParameters('after', after),
    limit,
  });
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const upTo =
    last && Object.fromEntries(keyInSection(table).map((column) => [column, last[column] ?? null]));
  return { rows, after, upTo };
}

/** Returns how many rows a page may have, at least one. */
async function pageLength(
  reader: Reader,
  { table, owner }: Section,
  after: CopiedRow | undefined,
): Promise<number> {
  if (table.large === undefined) return PAGE_ROWS;
  const sizes = await reader.all(listSizesAfter(table, table.large, after !== undefined), {
    ...owner,
    ...boundParameters('after', after),
    limit: PAGE_ROWS,
  });
  let bytes = 0;
  const end = sizes.findIndex((row) => {
    bytes += row.bytes;
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? PAGE_ROWS : Math.max(1, end);
}

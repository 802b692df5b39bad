import type { Reader, Value } from '../database/database.ts';
import { columnsOf, listRowsAfter, listSizesAfter, ownKey } from './queries.ts';
import type { Section } from './sections.ts';

/** A page ends at so many rows, or before the row that would make it larger than so many bytes. */
const PAGE_ROWS = 2_000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Rows that follow each other by primary key. The same rows after the same key are the same page everywhere. */
export interface Page {
  rows: Value[][];
  /** The key before the first row; undefined where the section begins. */
  after: Value[] | undefined;
  /** The key of the last row; undefined where the section ends, with this page or before it. */
  upTo: Value[] | undefined;
}

/** The rows of a section, none of them left out, as the reader sees them. */
export async function* pagesOf(reader: Reader, section: Section): AsyncGenerator<Page> {
  let after: Value[] | undefined;
  do {
    const page = await readPage(reader, section, after);
    yield page;
    after = page.upTo;
  } while (after !== undefined);
}

export async function readPage(reader: Reader, section: Section, after: Value[] | undefined): Promise<Page> {
  const { table, owner } = section;
  const place = [...owner, ...(after ?? [])];
  const count = await fittingRows(reader, section, after);
  const found = await reader.all(listRowsAfter(table, after !== undefined), [...place, count]);
  const columns = columnsOf(table);
  const rows = found.map((row) => columns.map((column) => row[column] ?? null));
  const last = found.length === count ? found.at(-1) : undefined;
  return { rows, after, upTo: last && ownKey(table).map((column) => last[column] ?? null) };
}

/** How many rows make a page: at least one, also where there is none. */
async function fittingRows(
  reader: Reader,
  { table, owner }: Section,
  after: Value[] | undefined,
): Promise<number> {
  if (table.large === undefined) return PAGE_ROWS;
  const sizes = await reader.all(listSizesAfter(table, table.large, after !== undefined), [
    ...owner,
    ...(after ?? []),
    PAGE_ROWS,
  ]);
  let bytes = 0;
  const end = sizes.findIndex((row) => {
    bytes += row.bytes;
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? PAGE_ROWS : Math.max(1, end);
}

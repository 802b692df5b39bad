import { readCsvHeader } from './csv-header.ts';
import { CsvRowEnds } from './csv-row-ends.ts';
import { type CsvRow, CsvRowReader } from './csv-row-reader.ts';
import type { OpenFile } from './open-file.ts';
import { splitRows } from './split-rows.ts';

interface CsvFile {
  columns: string[];
  rows: AsyncIterable<CsvRow[]>;
}

/**
 * Reads a CSV file with a header line, which determines the delimiter (`,`, `;` or tab), or a sheet with a
 * header row. Skips blank rows. Rejects a row that is not UTF-8, is longer than 4 MiB, has an unclosed or
 * unescaped quote, or has a different number of cells than the header, and continues. Of a sheet, rejects a
 * row with an error such as `#N/A`, unless its column is among those that `ignoredOf` returns.
 * @throws {UnusableFile} if the header line is unreadable, repeats a column, or lacks a column of `required`
 */
export function readCsv(
  file: OpenFile,
  required: readonly string[],
  ignoredOf: (columns: string[]) => readonly string[] = () => [],
): CsvFile {
  const { columns, delimiter } = readCsvHeader(file, required);
  if (file.sheet !== undefined) {
    const ignored = new Set(ignoredOf(columns));
    return { columns, rows: file.sheet.rows(columns.map((name) => (ignored.has(name) ? '' : name))) };
  }
  return { columns, rows: readRows(file, columns, delimiter) };
}

async function* readRows(file: OpenFile, columns: string[], delimiter: string): AsyncGenerator<CsvRow[]> {
  const reader = new CsvRowReader(columns, delimiter);
  let headerRows = 1;
  for await (const rows of splitRows(file.text, new CsvRowEnds(delimiter))) {
    const batch = reader.read(rows.slice(headerRows));
    headerRows = 0;
    if (batch.length > 0) yield batch;
  }
}

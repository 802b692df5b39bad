import { readCsvHeader } from './csv-header.ts';
import { CsvRowEnds } from './csv-row-ends.ts';
import { CsvRowReader } from './csv-row-reader.ts';
import type { OpenFile } from './open-file.ts';
import type { Rejection } from './parsed.ts';
import { splitRows } from './split-rows.ts';

/** One row below the header. */
export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number;
  /** How many lines it runs over. */
  lines: number;
  /** How many bytes it takes. */
  size: number;
  /** As many as there are columns; of a rejected row, those that could be read from its beginning. */
  cells: string[];
  /** Why the row cannot be used; empty where it can. */
  rejections: readonly Rejection[];
}

/** A CSV file: its columns, and its rows in batches. */
export interface CsvFile {
  columns: string[];
  rows: AsyncIterable<CsvRow[]>;
}

/**
 * Reads a CSV file with a header line, its delimiter (`,`, `;` or tab) told from that line. Rows of blank
 * cells are left out. A row that is not UTF-8, longer than 4 MiB, badly quoted or of another width than
 * the header comes out rejected, and the rest goes on.
 * @throws {UnusableFile} where the header is unreadable, has a column twice, or lacks one of `needed`
 */
export function readCsv(file: OpenFile, needed: readonly string[]): CsvFile {
  const { columns, delimiter } = readCsvHeader(file, needed);
  return { columns, rows: readRows(file, columns, delimiter) };
}

async function* readRows(file: OpenFile, columns: string[], delimiter: string): AsyncGenerator<CsvRow[]> {
  const reader = new CsvRowReader(columns, delimiter);
  let header = 1;
  for await (const rows of splitRows(file.text, new CsvRowEnds(delimiter))) {
    const batch = reader.read(rows.slice(header));
    header = 0;
    if (batch.length > 0) yield batch;
  }
}

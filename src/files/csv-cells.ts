import { CsvError, parse } from 'csv-parse/sync';

const LINE_FEED = Buffer.from('\n');

/** Returns undefined if any row is not valid CSV. */
export function parseCells(
  rows: readonly Buffer[],
  delimiter: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): string[][] | undefined {
  try {
    const cells = parse(Buffer.concat(rows.flatMap((row) => [row, LINE_FEED])), {
      delimiter,
      encoding,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
    });
    return cells.length === rows.length ? cells : undefined;
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

import { isNdjson } from '../../files/is-ndjson.ts';
import { openFile, type ReadingOptions } from '../../files/open-file.ts';
import type { FoundColumn, FoundTable } from '../../files/parsed.ts';
import { readCsv } from '../../files/read-csv.ts';

/** Tables with more columns, or longer names, are imported by the names of their columns only. */
const MAX_COLUMNS = 1_000;
const MAX_NAME = 1_000;
/** Of a sample, in UTF-16 units. */
const MAX_SAMPLE = 80;

/**
 * Reads the columns of a table, each with the first value that is not blank among the first rows. Without
 * columns, also with too many, and for NDJSON. Of a workbook, reads only the beginning.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function describeTable(
  path: string,
  options: Pick<ReadingOptions, 'sheet' | 'maximumBytes' | 'beforeChunk'>,
): Promise<FoundTable> {
  const file = await openFile(path, { ...options, startOnly: true });
  try {
    const { sheet } = file;
    const found = { sheet: sheet && { name: sheet.name, names: sheet.names } };
    if ((sheet !== undefined && sheet.columns === undefined) || isNdjson(file)) return found;
    const { columns: names, rows } = readCsv(file, []);
    if (names.length > MAX_COLUMNS || names.some((name) => name.length > MAX_NAME)) return found;
    const samples = names.map(() => '');
    for await (const batch of rows) {
      for (const { cells } of batch) {
        for (const [index, cell] of cells.entries())
          if (samples[index] === '') samples[index] = cell.trim().slice(0, MAX_SAMPLE).toWellFormed();
      }
      if (batch.length > 0) break;
    }
    const columns = names.flatMap((name, index): FoundColumn[] =>
      name === '' ? [] : [{ name, sample: samples[index] ?? '' }],
    );
    return { ...found, columns };
  } finally {
    await file.close();
  }
}

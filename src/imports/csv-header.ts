import { isUtf8 } from 'node:buffer';
import { parseCells } from './csv-cells.ts';
import { CsvRowEnds } from './csv-row-ends.ts';
import { type OpenFile, START_BYTES } from './open-file.ts';
import { UnusableFile } from './parsed.ts';

const DELIMITERS = [',', ';', '\t'];

/**
 * The columns that the first line names, spaces around the names dropped, and the delimiter that stands
 * most often in it.
 * @throws {UnusableFile} where it is unreadable, names a column twice, or lacks one of `needed`
 */
export function readCsvHeader(
  file: OpenFile,
  needed: readonly string[],
): { columns: string[]; delimiter: string } {
  const { columns, delimiter } = readHeaderCells(file);
  const unusable = (reason: string): UnusableFile => new UnusableFile(`${file.path}: ${reason}`);
  const twice = columns.filter((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (twice.length > 0)
    throw unusable(`its header line has a column twice: ${[...new Set(twice)].join(', ')}`);
  const missing = needed.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const found = columns.join(', ').slice(0, 200);
    throw unusable(`its header line lacks ${missing.join(' and ')}; the columns found are: ${found}`);
  }
  return { columns, delimiter };
}

/** The header's cells, whatever they are. */
export function readHeaderCells(file: Pick<OpenFile, 'path' | 'start'>): {
  columns: string[];
  delimiter: string;
} {
  const unusable = (reason: string): UnusableFile => new UnusableFile(`${file.path}: ${reason}`);
  const delimiter = mostFrequentDelimiter(file.start);
  const line = firstRow(file.start, delimiter);
  if (line === 'endless') throw unusable('its header line does not end within 64 KiB');
  if (line === undefined) throw unusable('it begins with no header line');
  if (!isUtf8(line)) throw unusable('its header line is not UTF-8; save it as UTF-8');
  const columns = parseCells([line], delimiter)?.[0]?.map((name) => name.trim());
  if (columns === undefined) throw unusable('its header line is not valid CSV');
  if (columns.some((name) => name.includes('\r'))) {
    throw unusable('its lines end in carriage returns alone; save it with LF or CRLF line ends');
  }
  return { columns, delimiter };
}

function firstRow(start: Buffer, delimiter: string): Buffer | 'endless' | undefined {
  const ends = new CsvRowEnds(delimiter);
  for (let from = 0; from < start.length; ) {
    const found = ends.find(start, from);
    if (found < 0 && start.length >= START_BYTES) return 'endless';
    const end = found < 0 ? start.length : found;
    const line = start.subarray(from, start[end - 1] === 0x0d ? Math.max(from, end - 1) : end);
    if (line.length > 0) return line;
    from = end + 1;
  }
  return undefined;
}

function mostFrequentDelimiter(start: Buffer): string {
  const header =
    start
      .toString('latin1')
      .trimStart()
      .replace(/"[^"]*"/g, '')
      .split('\n', 1)[0] ?? '';
  const count = (delimiter: string): number => header.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

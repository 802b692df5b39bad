import { isUtf8 } from 'node:buffer';
import { parseCells } from './csv-cells.ts';
import { CsvRowEnds } from './csv-row-ends.ts';
import { type OpenFile, START_BYTES } from './open-file.ts';
import { UnusableFile, UnusableTable } from './parsed.ts';

interface CsvHeader {
  columns: string[];
  delimiter: string;
}

const DELIMITERS = [',', ';', '\t'];
/** In characters, in a message. */
const MAX_SHOWN_COLUMNS = 200;

/**
 * Reads the trimmed columns of the header line, and the delimiter that occurs there most often.
 * @throws {UnusableFile} if the header line is unreadable
 * @throws {UnusableTable} if it repeats a column, or lacks a column of `required`
 */
export function readCsvHeader(file: OpenFile, required: readonly string[]): CsvHeader {
  const { columns, delimiter } = readHeaderCells(file);
  const { sheet } = file;
  const found = { sheet: sheet && { name: sheet.name, names: sheet.names } };
  const unusable = (reason: string): UnusableTable => new UnusableTable(`${file.path}: ${reason}`, found);
  const repeated = columns.filter((name, index) => name !== '' && columns.indexOf(name) !== index);
  if (repeated.length > 0) throw unusable(`Duplicate ${quotedNames([...new Set(repeated)])}`);
  const missing = required.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    const found = columns.join(', ').slice(0, MAX_SHOWN_COLUMNS);
    throw unusable(`Missing ${quotedNames(missing)}; columns found: ${found}`);
  }
  return { columns, delimiter };
}

function quotedNames(names: readonly string[]): string {
  return `${names.length === 1 ? 'column' : 'columns'} ${names.map((name) => `"${name}"`).join(', ')}`;
}

/**
 * Reads the cells of the header line, renamed if the file has names for its columns, and the delimiter.
 * @throws {UnusableFile} if the header line is unreadable
 */
export function readHeaderCells(file: Pick<OpenFile, 'path' | 'start' | 'columnNames'>): CsvHeader {
  const unusable = (reason: string): UnusableFile => new UnusableFile(`${file.path}: ${reason}`);
  const delimiter = mostFrequentDelimiter(file.start);
  const line = firstRow(file.start, delimiter);
  if (line === 'endless') throw unusable('The header line does not end within 64 KiB');
  if (line === undefined) throw unusable('No header line');
  if (!isUtf8(line)) throw unusable('The header line is not UTF-8; save the file as UTF-8');
  const columns = parseCells([line], delimiter)?.[0]?.map((name) => name.trim());
  if (columns === undefined) throw unusable('The header line is not valid CSV');
  if (columns.some((name) => name.includes('\r'))) {
    throw unusable('Lines end with only a carriage return; save the file with LF or CRLF line endings');
  }
  return { columns: columns.map((name) => file.columnNames?.get(name) ?? name), delimiter };
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

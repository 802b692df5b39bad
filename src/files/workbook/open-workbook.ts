import type { CsvRow } from '../csv-row-reader.ts';
import { type Rejection, rejection, UnusableFile, UnusableTable } from '../parsed.ts';
import { MAX_ROW_BYTES } from '../split-rows.ts';
import { CellTexts } from './cell-texts.ts';
import { readStrings, SharedStrings } from './shared-strings.ts';
import { SheetCells, type StoredRow } from './sheet-cells.ts';
import { findWorkbookParts, type WorkbookParts } from './workbook-parts.ts';
import { readXmlEvents, UnusableXml } from './xml-events.ts';
import { ZipParts } from './zip-parts.ts';

const MAX_HEADER = 64 * 1024;
/** Each row is as long as the header, however few cells it has. */
const MAX_HEADER_COLUMNS = 4_096;
const TOO_LONG = 'the row is longer than 4 MiB';
/** With `startOnly`, the most that is unpacked of the texts, and of the sheet. */
const START_BYTES = 1024 * 1024;

export interface WorkbookOptions {
  /** The name of the sheet. Default: the first visible one. */
  sheet?: string | undefined;
  maximumBytes: number;
  beforeChunk?: ((bytes: number) => Promise<void>) | undefined;
  /** Called with the part of the work that is done, 0 to 1. */
  onProgress?: ((fraction: number) => void) | undefined;
  /** Whether only the header row is needed, and not even this if it takes long to find. */
  startOnly?: boolean | undefined;
}

/** A sheet of a workbook, whose first row with cells is the header. It can be read once. */
export interface Sheet {
  name: string;
  /** The names of all visible sheets. */
  names: string[];
  /** Trimmed. Undefined with `startOnly` if the header row is not at the beginning of the file. */
  columns: string[] | undefined;
  /**
   * The rows after the header, by their numbers in the sheet, without blank ones. `columns` has the names of
   * the columns, '' for unused ones, which are blank in each row. A row with an error in a used column is
   * rejected. Cells right of the header are ignored.
   */
  rows(columns: readonly string[]): AsyncGenerator<CsvRow[]>;
  close(): void;
}

/**
 * Opens an Excel workbook, with or without macros, which are ignored.
 * @throws {UnusableFile} if it is damaged, is another kind of file, or lacks the sheet
 */
export async function openWorkbook(path: string, options: WorkbookOptions): Promise<Sheet> {
  let done = 0;
  let total = Number.POSITIVE_INFINITY;
  const parts = await ZipParts.open(path, {
    maximumBytes: options.maximumBytes,
    beforeChunk: async (bytes) => {
      done += bytes;
      options.onProgress?.(Math.min(1, done / total));
      await options.beforeChunk?.(bytes);
    },
  });
  const strings = new SharedStrings(path);
  let stored: AsyncGenerator<StoredRow[]> | undefined;
  const close = (): void => {
    // Its part may still be open. What it throws was thrown to its reader.
    stored?.return(undefined).catch(() => {});
    strings.close();
    parts.close();
  };
  try {
    requireWorkbook(path, parts);
    const workbook = await findWorkbookParts(path, parts);
    const { name, part } = chooseSheet(path, workbook, options.sheet);
    total = done + parts.sizeOf(part) + (workbook.strings === undefined ? 0 : parts.sizeOf(workbook.strings));
    const names = workbook.sheets.map((sheet) => sheet.name);
    const limit = options.startOnly ? START_BYTES : Number.POSITIVE_INFINITY;
    const all = readRows(path, parts, part);
    stored = all;
    const header = await firstRow(all, () => done > limit);
    if (header === undefined && !options.startOnly)
      throw new UnusableTable(`${path}: The sheet “${name}” is empty`, { sheet: { name, names } });
    if (workbook.strings !== undefined) await readStrings(parts, workbook.strings, strings, limit);
    const texts = new CellTexts(workbook, strings);
    const columns = header && headerOf(path, header.row, texts);
    if (columns === undefined && !options.startOnly)
      throw new UnusableFile(`${path}: The workbook lacks texts of the header row`);
    const rows = (columns: readonly string[]) =>
      resolveRows({ first: header?.others ?? [], stored: all, columns, texts, close });
    return { name, names, columns, rows, close };
  } catch (error) {
    close();
    throw error instanceof UnusableXml ? unusable(path, error) : error;
  }
}

function requireWorkbook(path: string, parts: ZipParts): void {
  if (parts.has('xl/workbook.bin')) {
    throw new UnusableFile(`${path}: This is a binary Excel workbook (.xlsb). Save it as .xlsx`);
  }
  if (parts.has('content.xml') && parts.has('meta-inf/manifest.xml')) {
    throw new UnusableFile(
      `${path}: This is an OpenDocument file (.ods). Save it as .xlsx, or save the sheet as CSV (UTF-8)`,
    );
  }
  if (!parts.has('xl/workbook.xml') && !parts.has('_rels/.rels')) {
    throw new UnusableFile(
      `${path}: This is a ZIP archive. Unpack it, then upload the .xlsx, CSV or NDJSON file in it`,
    );
  }
}

function chooseSheet(path: string, { sheets }: WorkbookParts, wanted: string | undefined) {
  const lower = wanted?.toLowerCase();
  const [first] = sheets;
  const sheet = lower === undefined ? first : sheets.find(({ name }) => name.toLowerCase() === lower);
  if (sheet !== undefined) return sheet;
  const found = sheets.map(({ name }) => name).join(', ');
  throw new UnusableFile(`${path}: There is no sheet “${wanted}”; sheets found: ${found.slice(0, 200)}`);
}

/** Yields the stored rows after each chunk, which may complete none; also the rows before a damaged part. */
async function* readRows(path: string, parts: ZipParts, part: string): AsyncGenerator<StoredRow[]> {
  const cells = new SheetCells();
  let failure: { error: unknown } | undefined;
  try {
    for await (const _ of readXmlEvents(parts.read(part), cells)) yield cells.take();
  } catch (error) {
    failure = { error: error instanceof UnusableXml ? unusable(path, error) : error };
  }
  yield cells.take();
  if (failure !== undefined) throw failure.error;
}

function unusable(path: string, { message }: UnusableXml): UnusableFile {
  return new UnusableFile(`${path}: The workbook cannot be read: ${message}`);
}

async function firstRow(
  batches: AsyncGenerator<StoredRow[]>,
  isEnough: () => boolean,
): Promise<{ row: StoredRow; others: StoredRow[] } | undefined> {
  while (!isEnough()) {
    const { done, value } = await batches.next();
    if (done) return undefined;
    const [row, ...others] = value;
    if (row !== undefined) return { row, others };
  }
  return undefined;
}

/**
 * Returns undefined if a text of the header was not read.
 * @throws {UnusableFile} if the header row is too long
 */
function headerOf(path: string, row: StoredRow, texts: CellTexts): string[] | undefined {
  const columns: string[] = [];
  let characters = 0;
  for (const cell of row.cells) {
    // A header may be wrapped in its cell.
    const text = texts.read(cell).text?.trim().replaceAll(/\s+/g, ' ');
    if (text === undefined) return undefined;
    while (columns.length < cell.column) columns.push('');
    columns.push(text);
    characters += text.length;
  }
  if (characters > MAX_HEADER || row.isTooLong)
    throw new UnusableFile(`${path}: The header row is longer than 64 KiB`);
  if (columns.length > MAX_HEADER_COLUMNS)
    throw new UnusableFile(`${path}: The header row has more than ${MAX_HEADER_COLUMNS} columns`);
  while (columns.at(-1) === '') columns.pop();
  return columns;
}

interface Rows {
  first: StoredRow[];
  stored: AsyncGenerator<StoredRow[]>;
  columns: readonly string[];
  texts: CellTexts;
  close: () => void;
}

async function* resolveRows(rows: Rows): AsyncGenerator<CsvRow[]> {
  const { first, stored, columns, texts, close } = rows;
  const resolve = (batch: StoredRow[]): CsvRow[] =>
    batch.flatMap((row) => resolveRow(row, { columns, texts }) ?? []);
  try {
    yield resolve(first);
    for await (const batch of stored) if (batch.length > 0) yield resolve(batch);
  } finally {
    close();
  }
}

/** Returns undefined for a blank row. */
function resolveRow(
  { number: line, cells: stored, isTooLong }: StoredRow,
  { columns, texts }: Pick<Rows, 'columns' | 'texts'>,
): CsvRow | undefined {
  const cells = columns.map(() => '');
  const rejections: Rejection[] = [];
  let size = 0;
  let tooLong = isTooLong;
  for (const cell of stored) {
    const column = columns[cell.column] ?? '';
    if (column === '') continue;
    const { text = cell.value, reason } = texts.read(cell);
    size += Buffer.byteLength(text);
    tooLong ||= size > MAX_ROW_BYTES;
    if (size > MAX_ROW_BYTES) break;
    cells[cell.column] = text;
    if (reason !== undefined) rejections.push(rejection(line, column, text, reason));
  }
  if (tooLong)
    return { line, lines: 1, size, cells, rejections: [rejection(line, null, cells[0], TOO_LONG)] };
  if (rejections.length === 0 && cells.every((cell) => cell.trim() === '')) return undefined;
  return { line, lines: 1, size, cells, rejections };
}

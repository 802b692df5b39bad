import { isUtf8 } from 'node:buffer';
import { parseCells } from './csv-cells.ts';
import { type Rejection, rejection } from './parsed.ts';
import type { Row } from './split-rows.ts';

export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number;
  /** The number of lines that it spans. */
  lines: number;
  /** In bytes. */
  size: number;
  /** One cell per column; for a rejected row, the cells that could be read. */
  cells: string[];
  /** Why the row cannot be used; empty if it can. */
  rejections: readonly Rejection[];
}

const NO_REJECTIONS: CsvRow['rejections'] = [];
const BEGINNING_BYTES = 4 * 1024;

export class CsvRowReader {
  readonly #columns: readonly string[];
  readonly #delimiter: string;

  constructor(columns: readonly string[], delimiter: string) {
    this.#columns = columns;
    this.#delimiter = delimiter;
  }

  /** Returns the rows in order, without rows of only blank cells. */
  read(rows: readonly Row[]): CsvRow[] {
    if (rows.length === 0) return [];
    // Parsing all rows together is many times faster than one by one. Halving finds the invalid rows.
    const isReadable = rows.every(({ bytes, tooLong }) => !tooLong && isUtf8(bytes));
    const cells = isReadable
      ? parseCells(
          rows.map(({ bytes }) => bytes),
          this.#delimiter,
        )
      : undefined;
    if (cells !== undefined) return rows.flatMap((row, index) => this.#withCells(row, cells[index] ?? []));
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) return [this.#unreadable(only)];
    const half = rows.length >> 1;
    return [...this.read(rows.slice(0, half)), ...this.read(rows.slice(half))];
  }

  #withCells(row: Row, cells: string[]): CsvRow[] {
    if (cells.every((cell) => cell.trim() === '')) return [];
    if (cells.length === this.#columns.length) return [this.#row(row, cells, NO_REJECTIONS)];
    const reason = `expected ${this.#columns.length} cells, as in the header line, found ${cells.length}`;
    return [this.#row(row, cells, [rejection(row.line, null, row.bytes.toString(), reason)])];
  }

  #unreadable(row: Row): CsvRow {
    const reject = (reason: string) => [rejection(row.line, null, row.bytes.toString(), reason)];
    if (row.tooLong) return this.#row(row, this.#beginning(row), reject(tooLongReason(row)));
    const bytes = parseCells([row.bytes], this.#delimiter, 'latin1')?.[0]?.map((cell) =>
      Buffer.from(cell, 'latin1'),
    );
    if (bytes === undefined) return this.#row(row, this.#beginning(row), reject(badlyQuotedReason(row)));
    const reason = 'the text is not UTF-8; save the file as UTF-8';
    const rejections = bytes.flatMap((cell, index) =>
      isUtf8(cell) ? [] : [rejection(row.line, this.#columns[index] ?? null, cell.toString(), reason)],
    );
    return this.#row(
      row,
      bytes.map((cell) => cell.toString()),
      rejections,
    );
  }

  /** Returns the cells before the unreadable part, which may identify the row's item. */
  #beginning({ bytes }: Row): string[] {
    const text = bytes.subarray(0, BEGINNING_BYTES).toString();
    const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)"|([^"${this.#delimiter}]*))${this.#delimiter}`, 'y');
    const cells: string[] = [];
    for (let match = cell.exec(text); match !== null; match = cell.exec(text)) {
      cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    }
    return cells;
  }

  #row({ line, lines, bytes }: Row, cells: string[], rejections: CsvRow['rejections']): CsvRow {
    return { line, lines, size: bytes.length, cells, rejections };
  }
}

function tooLongReason({ line, lines }: Row): string {
  if (lines === 1) return 'the row is longer than 4 MiB';
  return `the row is longer than 4 MiB and continues to line ${line + lines - 1}; it may have an unclosed quote`;
}

function badlyQuotedReason({ line, lines }: Row): string {
  const extent = lines === 1 ? '' : ` (the row continues to line ${line + lines - 1})`;
  const advice = 'enclose a cell that contains quotes in quotes, and double each quote inside it';
  return `an unclosed or unescaped quote${extent}; ${advice}`;
}

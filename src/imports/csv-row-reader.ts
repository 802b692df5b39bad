import { isUtf8 } from 'node:buffer';
import { parseCells } from './csv-cells.ts';
import type { CsvRow } from './read-csv.ts';
import { rejection } from './refusal.ts';
import type { Row } from './split-rows.ts';

const NONE: CsvRow['rejections'] = [];
const BEGINNING_BYTES = 4 * 1024;

/** Turns the bytes of rows into cells. */
export class CsvRowReader {
  readonly #columns: readonly string[];
  readonly #delimiter: string;

  constructor(columns: readonly string[], delimiter: string) {
    this.#columns = columns;
    this.#delimiter = delimiter;
  }

  /** The rows in their order, those of blank cells left out. */
  read(rows: readonly Row[]): CsvRow[] {
    if (rows.length === 0) return [];
    // All at once is many times faster than one by one: halving finds the rows that are bad.
    const clean = rows.every(({ bytes, tooLong }) => !tooLong && isUtf8(bytes));
    const cells = clean
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
    if (cells.length === this.#columns.length) return [this.#row(row, cells, NONE)];
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
    const rejections = bytes.flatMap((cell, index) =>
      isUtf8(cell)
        ? []
        : [
            rejection(
              row.line,
              this.#columns[index] ?? null,
              cell.toString(),
              'the text is not UTF-8; save the file as UTF-8',
            ),
          ],
    );
    return this.#row(
      row,
      bytes.map((cell) => cell.toString()),
      rejections,
    );
  }

  /** The cells before the trouble, so that it can be told what the row was about. */
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
  return `the row is longer than 4 MiB and runs on to line ${line + lines - 1}: a quote in it may not be closed`;
}

function badlyQuotedReason({ line, lines }: Row): string {
  const extent = lines === 1 ? '' : ` (the row runs on to line ${line + lines - 1})`;
  return `its quotes are not closed or not doubled${extent}; expected "…" around a cell with quotes, each quote in it doubled`;
}

import type { Rejection } from './parsed.ts';
import type { CsvRow } from './read-csv.ts';
import { Refusal, rejection, type ValueReader } from './refusal.ts';

/** A column of a file whose cells set a field. */
export interface CsvColumn<Value> {
  name: string;
  /** Which cell of a row it is. */
  index: number;
  field: string;
  reader: ValueReader<Value>;
}

/** Those of a file's columns that set a field; `prefix` stands before the field's name in the column's. */
export function columnsOf<Value>(
  columns: readonly string[],
  readers: ReadonlyMap<string, ValueReader<Value> | null>,
  prefix = '',
): CsvColumn<Value>[] {
  return columns.flatMap((name, index) => {
    const field = name.slice(prefix.length);
    const reader = name.startsWith(prefix) ? readers.get(field) : undefined;
    return reader === null || reader === undefined ? [] : [{ name, index, field, reader }];
  });
}

/** Reads one cell of a row; undefined where it is refused, which `problems` then says. */
export function readCell<T>(
  reader: ValueReader<T>,
  row: CsvRow,
  column: Pick<CsvColumn<T>, 'name' | 'index'>,
  problems: Rejection[],
): T | undefined {
  const cell = row.cells[column.index] ?? '';
  const value = reader.fromCell(cell);
  if (!(value instanceof Refusal)) return value;
  problems.push(rejection(row.line, column.name, cell, value.reason));
  return undefined;
}

/** The fields that a row sets. Every problem is added to `problems`. */
export function readCells<Fields extends object>(
  columns: readonly CsvColumn<Fields[keyof Fields]>[],
  row: CsvRow,
  problems: Rejection[],
): Partial<Fields> {
  const fields: Record<string, Fields[keyof Fields]> = {};
  for (const column of columns) {
    const value = readCell(column.reader, row, column, problems);
    if (value !== undefined) fields[column.field] = value;
  }
  // Sound as far as each column's reader gives the type of its field: tables are built from the fields.
  return fields as Partial<Fields>;
}

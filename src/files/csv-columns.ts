import { InvalidValue } from '../shared/invalid-value.ts';
import type { CsvRow } from './csv-row-reader.ts';
import { type Rejection, rejection } from './parsed.ts';
import type { ValueReader } from './value-readers.ts';

export interface CsvColumn<Value> {
  name: string;
  index: number;
  field: string;
  reader: ValueReader<Value>;
}

/** Returns the columns that set a field. A column's name is `prefix` and the field's name. */
export function fieldColumns<Value>(
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

/** Reads one cell. If it is invalid, returns undefined and adds the reason to `rejections`. */
export function readCell<T>(
  reader: ValueReader<T>,
  row: CsvRow,
  column: Pick<CsvColumn<T>, 'name' | 'index'>,
  rejections: Rejection[],
): T | undefined {
  const cell = row.cells[column.index] ?? '';
  const value = reader.fromCell(cell);
  if (!(value instanceof InvalidValue)) return value;
  rejections.push(rejection(row.line, column.name, cell, value.reason));
  return undefined;
}

/** Returns the fields that a row sets. Adds the reason for each invalid cell to `rejections`. */
export function readCells<Fields extends object>(
  columns: readonly CsvColumn<Fields[keyof Fields]>[],
  row: CsvRow,
  rejections: Rejection[],
): Partial<Fields> {
  const fields: Record<string, Fields[keyof Fields]> = {};
  for (const column of columns) {
    const value = readCell(column.reader, row, column, rejections);
    if (value !== undefined) fields[column.field] = value;
  }
  // Safe if readers return the types of their fields: the tables of readers are built from the fields.
  return fields as Partial<Fields>;
}

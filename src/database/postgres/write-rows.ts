import type { Statement, UpdateTarget, UpsertTarget, Value } from '../statement.ts';
import type { Write } from './merge-writes.ts';

/** The maximum of one statement. */
const MAX_ROWS = 200;
/** Of JSON text, in characters, unless one row has more. */
const MAX_LENGTH = 4 * 1024 * 1024;

type Columns = Pick<Statement, 'placeholders'>;

/** Updates each row, in few statements. Of several values for a row, the last ones count. */
export function updateRows(
  { placeholders }: Columns,
  target: UpdateTarget,
  rows: readonly Value[][],
): Write[] {
  const records = new Map<string, string>();
  for (const values of rows) {
    const record = recordOf(placeholders, values);
    records.set(JSON.stringify(target.key.map((column) => record[column])), JSON.stringify(record));
  }
  return writesOf(updateOfMany(target), [...records.values()]);
}

/** Inserts each row, or does what the statement states for a row that exists, in few statements. */
export function upsertRows(
  { placeholders }: Columns,
  target: UpsertTarget,
  rows: readonly Value[][],
): Write[] {
  const records = rows.map((values) => JSON.stringify(recordOf(placeholders, values)));
  return writesOf(upsertOfMany(target), records);
}

function recordOf(placeholders: Columns['placeholders'], values: readonly Value[]): Record<string, Value> {
  const record: Record<string, Value> = {};
  for (const [index, { name }] of placeholders.entries()) {
    const value = values[index] ?? null;
    record[name] = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
  }
  return record;
}

function writesOf(sql: string, records: readonly string[]): Write[] {
  const writes: Write[] = [];
  let part: string[] = [];
  let length = 0;
  const end = (): void => {
    if (part.length > 0) writes.push({ sql, values: [`[${part.join(',')}]`] });
    part = [];
    length = 0;
  };
  for (const record of records) {
    if (part.length === MAX_ROWS || length + record.length > MAX_LENGTH) end();
    part.push(record);
    length += record.length;
  }
  end();
  return writes;
}

function updateOfMany({ table, columns, key }: UpdateTarget): string {
  const set = columns.map((column) => `${column} = n.${column}`).join(', ');
  const where = key.map((column) => `t.${column} = n.${column}`).join(' AND ');
  return `UPDATE ${table} AS t SET ${set} FROM ${rowsOf(table)} AS n WHERE ${where}`;
}

function upsertOfMany({ table, columns, onConflict }: UpsertTarget): string {
  const names = columns.join(', ');
  return `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rowsOf(table)} AS n ${onConflict}`;
}

/** Gets the rows as JSON. As a text first: the driver would encode a parameter of the type json once more. */
function rowsOf(table: string): string {
  return `json_populate_recordset(CAST(NULL AS ${table}), CAST(CAST(? AS text) AS json))`;
}

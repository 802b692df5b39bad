import type { Statement, UpdateTarget, Value } from '../database.ts';
import type { Write } from './merge-writes.ts';

/** The maximum of one statement. */
const MAX_ROWS = 200;
/** Of JSON text, in characters, unless one row has more. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Updates each row, in few statements. Of several values for a row, the last ones count. */
export function updateRows(
  { placeholders }: Pick<Statement, 'placeholders'>,
  target: UpdateTarget,
  rows: readonly Value[][],
): Write[] {
  const records = new Map<string, string>();
  for (const values of rows) {
    const record: Record<string, Value> = {};
    for (const [index, { name }] of placeholders.entries()) record[name] = values[index] ?? null;
    records.set(JSON.stringify(target.key.map((column) => record[column])), JSON.stringify(record));
  }
  const writes: Write[] = [];
  let part: string[] = [];
  let length = 0;
  const end = (): void => {
    if (part.length > 0) writes.push({ sql: updateOfMany(target), values: [`[${part.join(',')}]`] });
    part = [];
    length = 0;
  };
  for (const record of records.values()) {
    if (part.length === MAX_ROWS || length + record.length > MAX_LENGTH) end();
    part.push(record);
    length += record.length;
  }
  end();
  return writes;
}

/** Gets the rows as JSON. As a text first: the driver would encode a parameter of the type json once more. */
function updateOfMany({ table, columns, key }: UpdateTarget): string {
  const set = columns.map((column) => `${column} = n.${column}`).join(', ');
  const where = key.map((column) => `t.${column} = n.${column}`).join(' AND ');
  return `UPDATE ${table} AS t SET ${set}
    FROM json_populate_recordset(CAST(NULL AS ${table}), CAST(CAST(? AS text) AS json)) AS n WHERE ${where}`;
}

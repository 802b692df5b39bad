import type { Value } from '../statement.ts';

/** A statement that writes. */
export interface Write {
  /** With `?` for each value. */
  sql: string;
  values: Value[];
}

/** More save little, and each combination is a prepared statement of its own. */
const MOST = 6;
const TARGET = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/;
/** After the target. `updateRows` and `upsertRows` select the rows of a parameter. */
const READS = /\bUSING\b|\bFROM (?!json_populate_recordset\b)/;

/**
 * Joins writes that follow each other into one statement if they write different tables: the server responds
 * to each statement by itself, which costs both sides more than a small write. The parts of one statement do
 * not see each other's changes, so a write that reads stays alone.
 */
export function mergeWrites(writes: readonly Write[]): Write[] {
  const merged: Write[] = [];
  let part = new Map<string, Write>();
  const end = (): void => {
    if (part.size > 0) merged.push(join([...part.values()]));
    part = new Map();
  };
  for (const write of writes) {
    const [start = '', target] = TARGET.exec(write.sql) ?? [];
    const table = READS.test(write.sql.slice(start.length)) ? undefined : target;
    if (table === undefined || part.has(table) || part.size === MOST) end();
    if (table === undefined) merged.push(write);
    else part.set(table, write);
  }
  end();
  return merged;
}

function join(writes: readonly Write[]): Write {
  const parts = writes.slice(0, -1).map(({ sql }, index) => `w${index} AS (${sql})`);
  return {
    sql: `${parts.length === 0 ? '' : `WITH ${parts.join(', ')} `}${writes.at(-1)?.sql}`,
    values: writes.flatMap(({ values }) => values),
  };
}

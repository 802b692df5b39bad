import { TimeSlices } from '../shared/time-slices.ts';
import type { Reader } from './database.ts';
import { stepsOf } from './run-in-steps.ts';
import { SHORT_LIST, type Statement, type Value } from './statement.ts';

const NAMES_PER_STATEMENT = 200;

export interface Lookup<Name extends Value = Value> {
  merchantId: number;
  names: readonly Name[];
}

/** The list of names in a statement that `lookUp` runs: `… IN (${namesPlaceholder})`. */
export const namesPlaceholder = `:names[${NAMES_PER_STATEMENT}]`;

export async function lookUp<Name extends Value, Row>(
  connection: Pick<Reader, 'all'>,
  statement: Statement<Lookup<Name>, Row>,
  merchantId: number,
  names: readonly NoInfer<Name>[],
): Promise<Row[]> {
  if (names.length === 0) return [];
  if (names.length <= SHORT_LIST)
    return await connection.all(statement.short ?? statement, { merchantId, names });
  const rows: Row[][] = [];
  const slices = new TimeSlices();
  for (const step of stepsOf(names)) {
    const found: Promise<Row[]>[] = [];
    for (let start = 0; start < step.length; start += NAMES_PER_STATEMENT) {
      const part = step.slice(start, start + NAMES_PER_STATEMENT);
      // Sent together: a database server gets them in one round trip.
      found.push(connection.all(statement, { merchantId, names: part }));
    }
    rows.push(...(await Promise.all(found)));
    await slices.pause();
  }
  return rows.flat();
}

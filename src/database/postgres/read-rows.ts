import type { Statement } from '../statement.ts';

/** The end of a statement that locks rows: others may refer to them, but not change or lock them. */
export const LOCK = 'FOR NO KEY UPDATE';

const LIST = /IN \(:([a-z]\w*)\[\d+\]\)/gi;
const PARAMETER = /(?<![:\w]):([a-z]\w*)/gi;

/**
 * Returns a statement that runs another one with each of several sets of parameters, which it gets as JSON.
 * Its last column is the number of the set, from 1. `OFFSET 0` keeps the planner from joining the sets in
 * another order, or to all rows of a table.
 */
export function readOfEach<Parameters>(
  { source, locks = false }: Pick<Statement<Parameters>, 'source' | 'locks'>,
  parameterSets: readonly Parameters[],
): string {
  const parameters = Object.entries(parameterSets[0] ?? {});
  const types = parameters.map(([name, value]) => `"${name}" ${typeOf(value)}`);
  const names = parameters.map(([name]) => `"${name}"`);
  const one = source
    .replaceAll(LIST, (_, name: string) => `= ANY (s."${name}")`)
    .replaceAll(PARAMETER, (_, name: string) => `s."${name}"`);
  return `SELECT found.*, s.set_number
    FROM ROWS FROM (json_to_recordset(CAST(CAST(? AS text) AS json)) AS (${types.join(', ')}))
      WITH ORDINALITY AS s(${[...names, 'set_number'].join(', ')})
    CROSS JOIN LATERAL (${one} OFFSET 0${locks ? ` ${LOCK}` : ''}) AS found`;
}

/** @throws {Error} for a parameter that the statement cannot get */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `${typeOf(value[0])}[]`;
  if (typeof value === 'number') return 'bigint';
  if (typeof value === 'string') return 'text';
  throw new Error(`expected a text, a whole number or a list of them, not ${String(value)}`);
}

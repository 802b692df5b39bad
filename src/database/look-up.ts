import type { Connection, Statement, Value } from './database.ts';

/** How many names one look-up takes. */
const NAMES = 200;

/** The places for names in a statement that `lookUp` runs: `… IN (${placesForNames})`, as its last. */
export const placesForNames = Array(NAMES).fill('?').join(', ');

/** Finds rows of a merchant by any number of names; the statement's parameters are the merchant and the names. */
export async function lookUp<Row>(
  connection: Pick<Connection, 'all'>,
  statement: Statement<Row>,
  merchantId: number,
  names: readonly Value[],
): Promise<Row[]> {
  const found: Promise<Row[]>[] = [];
  for (let start = 0; start < names.length; start += NAMES) {
    const part = names.slice(start, start + NAMES);
    // One statement serves every length: the last name fills the places left.
    while (part.length < NAMES) part.push(part.at(-1) ?? null);
    // Sent one behind the other: a server answers them without a pause in between.
    found.push(connection.all(statement, [merchantId, ...part]));
  }
  return (await Promise.all(found)).flat();
}

import { createHash } from 'node:crypto';
import type { Connection, Reader } from '../../database/database.ts';
import type { FoundTable } from '../../files/parsed.ts';
import type { ImportReading } from '../import-reading.ts';
import { deleteMapping, findMapping, listOldMappings, storeMapping } from './queries.ts';

type Columns = NonNullable<ImportReading['columns']>;

/** Of each merchant. The least recently used one gives way to a new one. */
const MAX_MAPPINGS = 50;

/** Remembers what the columns of a merchant's tables mean, for tables with the same set of headers. */
export async function rememberColumns(
  connection: Connection,
  { merchantId, now }: { merchantId: number; now: number },
  found: FoundTable,
  columns: Columns,
): Promise<void> {
  const headers = hashOf(found);
  await connection.run(storeMapping, { merchantId, headers, columns: JSON.stringify(columns), now });
  for (const old of await connection.all(listOldMappings, { merchantId, kept: MAX_MAPPINGS }))
    await connection.run(deleteMapping, { merchantId, headers: old.headers });
}

/** Returns what the columns of a table meant when the merchant last imported one with the same headers. */
export async function recallColumns(
  reader: Pick<Reader, 'first'>,
  merchantId: number,
  found: FoundTable,
): Promise<Columns | undefined> {
  if (found.columns === undefined || found.columns.length === 0) return undefined;
  const row = await reader.first(findMapping, { merchantId, headers: hashOf(found) });
  return row && (JSON.parse(row.columns) as Columns);
}

/** The order of the columns does not matter. */
function hashOf({ columns = [] }: FoundTable): string {
  const names = columns.map(({ name }) => name).sort();
  return createHash('sha256').update(JSON.stringify(names)).digest('hex');
}

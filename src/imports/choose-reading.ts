import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import type { ReadingOptions } from '../files/open-file.ts';
import type { FoundTable } from '../files/parsed.ts';
import { describeTable } from '../products/files/describe-table.ts';
import { recallColumns } from './column-mappings/remember-columns.ts';
import type { ImportKey } from './import-files.ts';
import { type ImportReading, parseReading, renderReading } from './import-reading.ts';
import type { Step } from './import-state.ts';
import { type ImportRow, updateReading } from './queries.ts';

interface ChosenReading {
  reading: ImportReading;
  /** What a check has found; undefined for an import, and for files that the service has written. */
  found: FoundTable | undefined;
}

/**
 * Decides how the file of an import is read. A check looks at its table first, and may use what the columns
 * meant the last time, which is then stored with the import.
 * @throws {UnusableFile} if the file cannot be read at all
 */
export async function chooseReading(
  services: { database: Database; now: () => number },
  { merchantId, id, state, path }: ImportKey & { state: Step; path: string },
  stored: ImportRow | undefined,
  options: Pick<ReadingOptions, 'maximumBytes' | 'beforeChunk'>,
): Promise<ChosenReading> {
  const reading = parseReading(stored?.reading ?? null);
  if (state !== 'checking' || stored?.is_bulk === 1) return { reading, found: undefined };
  const found = await describeTable(path, { ...options, sheet: reading.sheet });
  if (reading.columns !== undefined || reading.usesRemembered !== true) return { reading, found };
  const columns = await recallColumns(services.database, merchantId, found);
  if (columns === undefined) return { reading, found };
  const recalled: ImportReading = { ...reading, columns, isRemembered: true };
  const set = { id, reading: renderReading(recalled) ?? '' };
  await runVerb(services, { merchantId, who: SERVICE }, storeReading, set);
  return { reading: recalled, found };
}

async function storeReading(
  { connection, merchantId }: WriteContext,
  { id, reading }: { id: string; reading: string },
): Promise<void> {
  await connection.run(updateReading, { merchantId, id, reading });
}

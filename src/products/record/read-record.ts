import type { Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';

/** Larger records are read off the event loop. */
const MAX_BYTES_ON_LOOP = 512 * 1024;

export interface RecordSources {
  database: Pick<Reader, 'first'>;
  offLoop: OffLoopReads;
}

/**
 * Reads a row with a record, or with a part of it, without blocking the event loop for long. `read` has to
 * return null for a record of more than `maxBytes`.
 */
export async function readWithRecord<Row extends { record: string | null }>(
  { database, offLoop }: RecordSources,
  merchantId: number,
  read: (reader: Pick<Reader, 'first'>, maxBytes: number) => Promise<Row | undefined>,
): Promise<(Row & { record: string }) | undefined> {
  const row = await read(database, MAX_BYTES_ON_LOOP);
  if (row === undefined) return undefined;
  if (row.record !== null) return { ...row, record: row.record };
  const large = await offLoop.snapshot(merchantId, (reader) => read(reader, Number.MAX_SAFE_INTEGER));
  return large?.record == null ? undefined : { ...large, record: large.record };
}

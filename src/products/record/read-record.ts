import type { Database, Statement, Value } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';

/** Records larger than this, in bytes, are read off the event loop. */
const MAX_BYTES_ON_LOOP = 512 * 1024;

/** What a record is read from. */
export interface RecordSources {
  database: Pick<Database, 'first'>;
  offLoop: OffLoopReads;
}

/**
 * Reads a row that has a product's record, or a part of it, without blocking the event loop for long. The statement's
 * first parameter is the most bytes that a record may have; the row of a larger one has null instead.
 */
export async function readWithRecord<Row extends { record: string | null }>(
  { database, offLoop }: RecordSources,
  statement: Statement<Row>,
  merchantId: number,
  parameters: Value[],
): Promise<(Row & { record: string }) | undefined> {
  const row = await database.first(statement, [MAX_BYTES_ON_LOOP, ...parameters]);
  if (row === undefined) return undefined;
  if (row.record !== null) return { ...row, record: row.record };
  const large = await offLoop.snapshot(merchantId, (reader) =>
    reader.first(statement, [Number.MAX_SAFE_INTEGER, ...parameters]),
  );
  return large?.record == null ? undefined : { ...large, record: large.record };
}

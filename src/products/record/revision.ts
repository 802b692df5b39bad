import type { Connection } from '../../database/database.ts';
import { raiseRevisionTo } from './queries.ts';

/**
 * Returns the revision of a catalog that changes at this time. A revision grows with every change. It follows the clock, in microseconds, so that
 * a database restored from a backup does not reuse a number for another state of the catalog.
 */
export function revisionAt(now: number): number {
  return now * 1000;
}

/** Raises a merchant's revision. Every transaction that changes a catalog has to call this. */
export async function raiseRevision(connection: Connection, merchantId: number, now: number): Promise<void> {
  await connection.run(raiseRevisionTo, { merchantId, revision: revisionAt(now) });
}

import type { Connection } from '../../database/database.ts';
import { raiseRevisionTo } from './queries.ts';

/**
 * A catalog's revision grows with every change. It follows the clock, in microseconds, so that a
 * database put back from a backup does not give a number again that stood for another state.
 */
export function firstRevision(now: number): number {
  return now * 1000;
}

/** Raises a merchant's revision: to be called in every transaction that changes its catalog. */
export async function raiseRevision(connection: Connection, merchantId: number, now: number): Promise<void> {
  const revision = firstRevision(now);
  await connection.run(raiseRevisionTo, [revision, revision, merchantId]);
}

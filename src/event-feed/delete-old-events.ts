import type { Connection, Database } from '../database/database.ts';
import { deleteEventsUpTo, listOldest, setDeletedUpTo } from './queries.ts';

/** Small enough that no other write waits long. */
const EVENTS_AT_ONCE = 1_000;

/**
 * Deletes some of the oldest events, up to the first that did not occur before a time. The transaction begins
 * with `hold`. Resolves to whether there may be more.
 */
export async function deleteOldEvents(
  database: Database,
  before: number,
  hold: (connection: Connection) => Promise<unknown>,
  deleteDeliveries: (connection: Connection, upTo: number) => Promise<void> = async () => {},
): Promise<boolean> {
  const oldest = await database.all(listOldest, { limit: EVENTS_AT_ONCE });
  const kept = oldest.findIndex(({ occurred_at }) => occurred_at >= before);
  const number = (kept < 0 ? oldest : oldest.slice(0, kept)).at(-1)?.number;
  if (number === undefined) return false;
  await database.transaction(async (connection) => {
    await hold(connection);
    await connection.run(setDeletedUpTo, { number });
    await deleteDeliveries(connection, number);
    await connection.run(deleteEventsUpTo, { number });
  });
  return kept < 0 && oldest.length === EVENTS_AT_ONCE;
}

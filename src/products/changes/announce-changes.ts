import type { Connection, Database } from '../../database/database.ts';
import { recordEvent } from '../../events/record-event.ts';
import { encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { AFTER_ALL_IDS, CHANGED_PRODUCTS } from './changed-products.ts';
import { listUnannounced, setAnnounced, takeUnannounced } from './queries.ts';

/** The interval between the first two events of a burst of changes. Each further one is twice as long, up to the maximum. */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** Changes after a pause of this many intervals are another burst. */
const PAUSE_INTERVALS = 3;
/** How many catalogs are announced at the same time. */
const AT_ONCE = 8;
/** The maximum number of catalogs in one call; the next call continues. */
const MAX_CATALOGS = 1_000;

/**
 * Records an event `catalog.changed` for each catalog that has changed since its last one, if that was long enough ago.
 * Each has the cursor from which to read the changes. None is lost: a change that commits afterwards marks the catalog again.
 */
export async function announceChanges(database: Database, now: number): Promise<void> {
  const catalogs = await database.all(listUnannounced, { limit: MAX_CATALOGS });
  const due = catalogs.filter(
    // If it is in the future, the clock was wrong.
    ({ announced_at: at, announce_interval: interval }) => at + interval <= now || at > now,
  );
  const failures: unknown[] = [];
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const some = due.slice(start, start + AT_ONCE);
    const announcing = some.map(({ merchant_id: merchantId }) => announceCatalog(database, merchantId, now));
    for (const result of await Promise.allSettled(announcing))
      if (result.status === 'rejected') failures.push(result.reason);
  }
  // One merchant's failure, such as a long lock, keeps no other waiting.
  if (failures.length > 0) throw failures[0];
}

async function announceCatalog(database: Database, merchantId: number, now: number): Promise<void> {
  const announce = async (connection: Connection): Promise<void> => {
    // Waits for transactions that have changed the catalog and not ended yet, so that the event announces them too.
    const row = await connection.first(takeUnannounced, { merchantId });
    if (row === undefined) return;
    const { epoch, revision, announced_revision: since, announced_at: at, announce_interval: interval } = row;
    const isSameBurst = now - at < PAUSE_INTERVALS * interval;
    const next = isSameBurst ? Math.min(2 * interval, MAX_INTERVAL_MS) : MIN_INTERVAL_MS;
    const scope = { merchantId, listing: CHANGED_PRODUCTS };
    const cursor = encodeChangesCursor(scope, epoch, { revision: since, key: AFTER_ALL_IDS });
    await Promise.all([
      connection.run(setAnnounced, { merchantId, revision, now, interval: next }),
      recordEvent(connection, {
        merchantId,
        type: 'catalog.changed',
        occurredAt: now,
        revision,
        data: { changed_since: cursor },
      }),
    ]);
  };
  await database.transaction(announce, { merchantId, locksMerchant: true });
}

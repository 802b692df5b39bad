import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { recordEvent } from '../../events/record-event.ts';
import { encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { AFTER_ALL_IDS, CHANGED_PRODUCTS } from './list-changes.ts';
import { listUnannounced, setAnnounced, takeUnannounced } from './queries.ts';

/** The interval between the first two events of a burst of changes. It doubles up to the maximum. */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** A change after a pause of this many intervals starts a new burst. */
const PAUSE_INTERVALS = 3;
const AT_ONCE = 8;
/** The next call continues. */
const MAX_CATALOGS = 1_000;

/**
 * Records `catalog.changed`, with the cursor from which to read, for each catalog that changed since its last
 * event, once per interval. A change that commits later marks its catalog again.
 */
export async function announceChanges(services: { database: Database; now: () => number }): Promise<void> {
  const { database } = services;
  const now = services.now();
  const catalogs = await database.all(listUnannounced, { limit: MAX_CATALOGS });
  const due = catalogs.filter(
    // A time in the future means that the clock was wrong.
    ({ announced_at: at, announce_interval: interval }) => at + interval <= now || at > now,
  );
  const failures: unknown[] = [];
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const some = due.slice(start, start + AT_ONCE);
    const announcing = some.map(({ merchant_id: merchantId }) =>
      runVerb(services, { merchantId, who: SERVICE }, announceCatalog, undefined),
    );
    for (const result of await Promise.allSettled(announcing))
      if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw failures[0];
}

async function announceCatalog(context: WriteContext): Promise<void> {
  const { connection, merchantId, now } = context;
  // Waits for transactions that are changing the catalog, so that the event announces them too.
  const row = await connection.first(takeUnannounced, { merchantId });
  if (row === undefined) return;
  const { epoch, revision, announced_revision: since, announced_at: at, announce_interval: interval } = row;
  const isSameBurst = now - at < PAUSE_INTERVALS * interval;
  const next = isSameBurst ? Math.min(2 * interval, MAX_INTERVAL_MS) : MIN_INTERVAL_MS;
  const listing = { merchantId, listing: CHANGED_PRODUCTS };
  const cursor = encodeChangesCursor(listing, epoch, { revision: since, key: AFTER_ALL_IDS });
  connection.send(setAnnounced, [{ merchantId, revision, now, interval: next }]);
  recordEvent(context, { type: 'catalog.changed', revision, data: { changed_since: cursor } });
}

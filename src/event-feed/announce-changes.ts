import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { findCatalogState, lockMerchant } from '../database/merchant-queries.ts';
import type { Statement } from '../database/statement.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { type NewEvent, recordEvent } from '../events/record-event.ts';

export interface Announcement {
  /** The time of the last event, in milliseconds since 1970. */
  announced_at: number;
  /** The minimum time until the next one, in milliseconds. */
  announce_interval: number;
}

/** What a merchant has changed since the last event that announced changes. */
export interface UnannouncedChanges extends Announcement {
  revision: number;
  announced_revision: number;
}

/** Records of merchants whose changes are announced in bursts: the catalog, or orders. */
export interface ChangeSource {
  /** Lists merchants with unannounced changes, the longest waiting first. */
  listUnannounced: Statement<{ limit: number }, Announcement & { merchant_id: number }>;
  /** Clears the mark of unannounced changes. Returns no row if there is none. */
  takeUnannounced: Statement<{ merchantId: number }, UnannouncedChanges>;
  setAnnounced: Statement<{ merchantId: number; revision: number; now: number; interval: number }, never>;
  /** Returns the event for the changes after a revision. */
  eventOf(changes: { merchantId: number; epoch: number; revision: number; since: number }): NewEvent;
}

/** The interval between the first two events of a burst of changes. It doubles up to the maximum. */
const MIN_INTERVAL_MS = 1_000;
const MAX_INTERVAL_MS = 60_000;
/** A change after a pause of this many intervals starts a new burst. */
const PAUSE_INTERVALS = 3;
const AT_ONCE = 8;
/** The next call continues. */
const MAX_MERCHANTS = 1_000;

/**
 * Records an event, with the cursor from which to read, for each merchant whose records changed since its
 * last event, once per interval. A change that commits later marks its merchant again.
 */
export async function announceBursts(
  services: { database: Database; now: () => number },
  source: ChangeSource,
): Promise<void> {
  const { database } = services;
  const now = services.now();
  const merchants = await database.all(source.listUnannounced, { limit: MAX_MERCHANTS });
  const due = merchants.filter(
    // A time in the future means that the clock was wrong.
    ({ announced_at: at, announce_interval: interval }) => at + interval <= now || at > now,
  );
  const failures: unknown[] = [];
  for (let start = 0; start < due.length; start += AT_ONCE) {
    const some = due.slice(start, start + AT_ONCE);
    const announcing = some.map(({ merchant_id: merchantId }) =>
      runVerb(services, { merchantId, who: SERVICE }, announceMerchant(source), undefined),
    );
    for (const result of await Promise.allSettled(announcing))
      if (result.status === 'rejected') failures.push(result.reason);
  }
  if (failures.length > 0) throw failures[0];
}

function announceMerchant(source: ChangeSource): (context: WriteContext) => Promise<void> {
  return async (context) => {
    const { connection, merchantId, now } = context;
    // Waits for transactions that are changing the records, so that the event announces them too.
    await connection.run(lockMerchant, { merchantId });
    const row = await connection.first(source.takeUnannounced, { merchantId });
    const state = await connection.first(findCatalogState, { merchantId });
    if (row === undefined || state === undefined) return;
    const { revision, announced_revision: since, announced_at: at, announce_interval: interval } = row;
    const isSameBurst = now - at < PAUSE_INTERVALS * interval;
    const next = isSameBurst ? Math.min(2 * interval, MAX_INTERVAL_MS) : MIN_INTERVAL_MS;
    connection.send(source.setAnnounced, [{ merchantId, revision, now, interval: next }]);
    recordEvent(context, source.eventOf({ merchantId, epoch: state.epoch, revision, since }));
  };
}

import type { Database } from '../../database/database.ts';
import { announceBursts, type ChangeSource } from '../../event-feed/announce-changes.ts';
import { encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { AFTER_ALL_IDS, CHANGED_PRODUCTS } from './list-changes.ts';
import { listUnannounced, setAnnounced, takeUnannounced } from './queries.ts';

export const changedCatalogs: ChangeSource = {
  listUnannounced,
  takeUnannounced,
  setAnnounced,
  eventOf: ({ merchantId, epoch, revision, since }) => {
    const listing = { merchantId, listing: CHANGED_PRODUCTS };
    const cursor = encodeChangesCursor(listing, epoch, { revision: since, key: AFTER_ALL_IDS });
    return { type: 'catalog.changed', revision, data: { changed_since: cursor } };
  },
};

/** Records `catalog.changed` for changed catalogs: see `announceBursts`. */
export async function announceChanges(services: { database: Database; now: () => number }): Promise<void> {
  await announceBursts(services, changedCatalogs);
}

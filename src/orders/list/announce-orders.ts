import type { Database } from '../../database/database.ts';
import { announceBursts, type ChangeSource } from '../../event-feed/announce-changes.ts';
import { encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { MAX_ORDER_ID } from '../record/order.ts';
import { CHANGED_ORDERS } from './list-changes.ts';
import { listUnannouncedOrders, setOrdersAnnounced, takeUnannouncedOrders } from './queries.ts';

export const changedOrders: ChangeSource = {
  listUnannounced: listUnannouncedOrders,
  takeUnannounced: takeUnannouncedOrders,
  setAnnounced: setOrdersAnnounced,
  eventOf: ({ merchantId, epoch, since }) => {
    const listing = { merchantId, listing: CHANGED_ORDERS };
    const cursor = encodeChangesCursor(listing, epoch, { revision: since, key: MAX_ORDER_ID });
    return { type: 'orders.changed', data: { changed_since: cursor } };
  },
};

/** Records `orders.changed` for merchants whose orders changed: see `announceBursts`. */
export async function announceOrders(services: { database: Database; now: () => number }): Promise<void> {
  await announceBursts(services, changedOrders);
}

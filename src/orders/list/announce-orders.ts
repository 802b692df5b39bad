import { type Database, statement } from '../../database/database.ts';
import {
  type Announcement,
  announceBursts,
  type ChangeSource,
  type UnannouncedChanges,
} from '../../event-feed/announce-changes.ts';
import { encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { MAX_ORDER_ID } from '../record/order.ts';
import { CHANGED_ORDERS } from './list-changes.ts';

const orders: ChangeSource = {
  listUnannounced: statement<{ limit: number }, Announcement & { merchant_id: number }>(
    `SELECT merchant_id, announced_at, announce_interval FROM order_counters WHERE unannounced = 1
     ORDER BY announced_at, merchant_id LIMIT CAST(:limit AS bigint)`,
    { everyNode: true },
  ),
  takeUnannounced: statement<{ merchantId: number }, UnannouncedChanges>(
    `UPDATE order_counters SET unannounced = 0 WHERE merchant_id = :merchantId AND unannounced = 1
     RETURNING revision, announced_revision, announced_at, announce_interval`,
  ),
  setAnnounced: statement(
    `UPDATE order_counters
     SET announced_revision = :revision, announced_at = :now, announce_interval = :interval
     WHERE merchant_id = :merchantId`,
  ),
  eventOf: ({ merchantId, epoch, since }) => {
    const listing = { merchantId, listing: CHANGED_ORDERS };
    const cursor = encodeChangesCursor(listing, epoch, { revision: since, key: MAX_ORDER_ID });
    return { type: 'orders.changed', data: { changed_since: cursor } };
  },
};

/** Records `orders.changed` for merchants whose orders changed: see `announceBursts`. */
export async function announceOrders(services: { database: Database; now: () => number }): Promise<void> {
  await announceBursts(services, orders);
}

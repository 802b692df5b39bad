import { SERVICE } from '../audit/record-audit.ts';
import { type Database, statement } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { recordEvents } from '../events/record-event.ts';
import { eventData } from './change/refuse.ts';
import { orderColumns, type StoredOrder } from './record/queries.ts';
import { orderOf } from './record/stored-order.ts';

const MERCHANTS_AT_ONCE = 100;
const ORDERS_AT_ONCE = 500;

/** Reads every node of a cluster: only the process that numbers events runs it. */
const listMerchantsWithOverdue = statement<{ now: number; limit: number }, { merchant_id: number }>(
  'SELECT DISTINCT merchant_id FROM orders WHERE overdue_at < :now LIMIT CAST(:limit AS bigint)',
  { everyNode: true },
);

const listOverdue = statement<{ merchantId: number; now: number; limit: number }, StoredOrder>(
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = :merchantId AND overdue_at < :now
   ORDER BY overdue_at LIMIT CAST(:limit AS bigint)`,
);

const setAnnounced = statement<{ merchantId: number; orderId: number }, never>(
  'UPDATE orders SET overdue_at = NULL WHERE merchant_id = :merchantId AND order_id = :orderId',
);

/** Records `order.overdue` once for each paid order whose due date has passed. */
export async function announceOverdue(services: { database: Database; now: () => number }): Promise<void> {
  const { database, now } = services;
  for (;;) {
    const merchants = await database.all(listMerchantsWithOverdue, { now: now(), limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of merchants) {
      const caller = { merchantId, who: SERVICE };
      while (await runVerb(services, caller, announceSome, undefined, { locksMerchant: true }));
    }
    if (merchants.length < MERCHANTS_AT_ONCE) return;
  }
}

/** Resolves to whether there are probably more. */
async function announceSome(context: WriteContext): Promise<boolean> {
  const { connection, merchantId, now } = context;
  const rows = await connection.all(listOverdue, { merchantId, now, limit: ORDERS_AT_ONCE });
  recordEvents(
    context,
    rows.map((row) => ({ type: 'order.overdue', data: eventData(orderOf(row)) })),
  );
  connection.send(
    setAnnounced,
    rows.map(({ order_id: orderId }) => ({ merchantId, orderId })),
  );
  return rows.length === ORDERS_AT_ONCE;
}

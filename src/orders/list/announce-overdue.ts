import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { recordEvents } from '../../events/record-event.ts';
import { eventData } from '../change/change-order.ts';
import { orderOf } from '../record/stored-order.ts';
import {
  findNextOverdue,
  listMerchantsWithOverdue,
  listOverdue,
  setNextOverdue,
  setOverdueAnnounced,
} from './queries.ts';

const MERCHANTS_AT_ONCE = 100;
const ORDERS_AT_ONCE = 500;

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
  await connection.runEach(
    setOverdueAnnounced,
    rows.map(({ order_id: orderId }) => ({ merchantId, orderId })),
  );
  const { next = null } = (await connection.first(findNextOverdue, { merchantId })) ?? {};
  connection.send(setNextOverdue, [{ merchantId, next }]);
  return rows.length === ORDERS_AT_ONCE;
}

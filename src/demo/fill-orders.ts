import { OPERATOR } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import type { ItemMerchants } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { importOrders } from '../orders/push/import-orders.ts';
import type { PushServices } from '../orders/push/push-batch.ts';
import { extendHistory } from '../orders/record/history.ts';
import type { Order } from '../orders/record/order.ts';
import { OrderBatch } from '../orders/record/order-batch.ts';
import type { DemoOrder } from './generate-orders.ts';
import { inBatches } from './in-batches.ts';

/** Adds orders, and what has happened to them. `merchants` locks the merchant in each transaction. */
export async function fillOrders(
  services: { database: Database; now: () => number } & PushServices,
  merchant: MerchantRow,
  merchants: ItemMerchants<MerchantRow>,
  orders: readonly DemoOrder[],
): Promise<void> {
  const options = { merchants, dryRun: false, onRejected: () => {}, onRepeated: () => {} };
  const drafts = orders.map(({ draft }) => draft);
  await importOrders({ ...services, who: OPERATOR }, inBatches(drafts), options);
  const { database, now } = services;
  const change = async (connection: Connection): Promise<void> => {
    await merchants.lock(connection, merchant);
    const externalIds = drafts.map(({ external_id }) => external_id);
    const context = { connection, merchantId: merchant.id, who: OPERATOR, now: now() };
    const batch = await OrderBatch.open(context, { externalIds });
    for (const { draft, steps } of orders) {
      const order = batch.orderOfExternalId(draft.external_id);
      // Their events would all be of today.
      if (order !== undefined && steps.length > 0) batch.put({ order: live(order, steps), events: [] });
    }
    await batch.write();
  };
  await database.transaction(change, { merchantId: merchant.id });
}

/** The order after the steps. */
function live(order: Order, steps: DemoOrder['steps']): Order {
  return steps.reduce((before, { at, change }) => {
    const changed = change(before, at);
    if (changed === null) return before;
    return { ...changed.order, history: extendHistory(changed.order, changed.events, at) };
  }, order);
}

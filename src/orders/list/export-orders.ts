import type { Database } from '../../database/database.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import type { OrderRecord } from '../record/order-record.ts';
import { showOrders } from '../record/show-orders.ts';
import { orderOf } from '../record/stored-order.ts';
import { listOrdersAfter } from './queries.ts';

const BATCH_SIZE = 1_000;

/** In batches, in the order of their ids. */
export async function* exportOrders(
  services: { database: Database; customers: CustomerVault },
  merchantId: number,
  seesCustomers: boolean,
): AsyncGenerator<OrderRecord[]> {
  const { database } = services;
  let after = 0;
  for (;;) {
    const rows = await database.all(listOrdersAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) yield await showOrders(services, { merchantId, seesCustomers }, rows.map(orderOf));
    after = rows.at(-1)?.order_id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}

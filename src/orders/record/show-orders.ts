import type { Reader } from '../../database/database.ts';
import { mapInSlices } from '../../shared/map-in-slices.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import type { Order } from './order.ts';
import { NO_CUSTOMER, type OrderRecord, orderRecord } from './order-record.ts';

/** Who reads orders. */
export interface OrderViewer {
  merchantId: number;
  /** Whether the viewer may see names and addresses of customers. */
  seesCustomers: boolean;
}

/**
 * Returns the records of orders as a viewer sees them.
 * @throws {KeyFileUnusable} if the viewer may see customers, and their key is missing
 */
export async function showOrders(
  { database, customers }: { database: Pick<Reader, 'all'>; customers: CustomerVault },
  { merchantId, seesCustomers }: OrderViewer,
  orders: readonly Order[],
): Promise<OrderRecord[]> {
  if (!seesCustomers) return await mapInSlices(orders, (order) => orderRecord(order, undefined));
  const ids = orders.map(({ order_id }) => order_id);
  const revealed = await customers.reveal(database, merchantId, ids);
  // An order without a customer's data hides nothing.
  return await mapInSlices(orders, (order) =>
    orderRecord(order, revealed.get(order.order_id) ?? NO_CUSTOMER),
  );
}

/**
 * Adds a customer's data to the record of a call that has changed an order, if the viewer may see it.
 * @throws {KeyFileUnusable} as `showOrders`
 */
export async function completeRecord(
  { database, customers }: { database: Pick<Reader, 'all'>; customers: CustomerVault },
  { merchantId, seesCustomers }: OrderViewer,
  record: OrderRecord,
): Promise<OrderRecord> {
  const { order_id, redacted_at } = record;
  if (!seesCustomers) return record;
  const revealed = redacted_at === null && (await customers.reveal(database, merchantId, [order_id]));
  const customer = revealed ? revealed.get(order_id) : undefined;
  return { ...record, ...customer, customer_hidden: false };
}

import type { Reader } from '../../database/database.ts';
import { KeyFileUnusable, UndecryptableValue } from '../../encryption/key-file.ts';
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
 * @throws {KeyFileUnusable} if the viewer may see customers, and the key of one is missing
 * @throws {UndecryptableValue}
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

/** Renders orders as the elements of a JSON array. The reader is of the transaction that has read them. */
export type RenderOrders = (reader: Pick<Reader, 'all'>, orders: readonly Order[]) => Promise<string>;

/** Returns a function that renders orders as a viewer sees them. It throws what `showOrders` throws. */
export function rendererFor({ customers }: { customers: CustomerVault }, viewer: OrderViewer): RenderOrders {
  return async (reader, orders) => {
    const records = await showOrders({ database: reader, customers }, viewer, orders);
    // Orders with many packages are large.
    return (await mapInSlices(records, (record) => JSON.stringify(record))).join(',');
  };
}

/**
 * Adds a customer's data to the record of a call that has changed an order, if the viewer may see it. If it
 * cannot be decrypted, it stays hidden and `onHidden` gets the reason, because the call has succeeded.
 */
export async function completeRecord(
  { database, customers }: { database: Pick<Reader, 'all'>; customers: CustomerVault },
  { merchantId, seesCustomers }: OrderViewer,
  record: OrderRecord,
  onHidden: (reason: string) => void,
): Promise<OrderRecord> {
  const { order_id, redacted_at } = record;
  if (!seesCustomers) return record;
  if (redacted_at !== null) return { ...record, customer_hidden: false };
  try {
    const customer = (await customers.reveal(database, merchantId, [order_id])).get(order_id);
    return { ...record, ...customer, customer_hidden: false };
  } catch (error) {
    if (!(error instanceof KeyFileUnusable || error instanceof UndecryptableValue)) throw error;
    onHidden(error.message);
    return record;
  }
}

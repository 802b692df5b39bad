import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import type { CustomerData } from '../record/order-record.ts';
import type { CustomerVault } from './customer-vault.ts';

export interface RevealedCustomer extends CustomerData {
  order_id: number;
}

/**
 * Returns the names and addresses of the customers of these orders, and records for each that they were seen.
 * Orders that do not exist, or whose customer's data was erased or never stated, are missing.
 * @throws {KeyFileUnusable}
 */
export async function revealCustomers(
  context: WriteContext & { customers: CustomerVault },
  { orderIds }: { orderIds: readonly number[] },
): Promise<RevealedCustomer[]> {
  const { connection, merchantId, customers } = context;
  const revealed = await customers.reveal(connection, merchantId, [...new Set(orderIds)]);
  return [...revealed].map(([order_id, customer]) => {
    recordAudit(context, { action: 'order.customer_revealed', subject: String(order_id) });
    return { order_id, ...customer };
  });
}

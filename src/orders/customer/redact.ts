import { recordAudit, SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type TransactionContext, type WriteContext } from '../../database/write-context.ts';
import { changeNamed } from '../change/change-as-operator.ts';
import type { Order } from '../record/order.ts';
import { OrderBatch } from '../record/order-batch.ts';
import { deleteNameWords } from '../record/queries.ts';
import { deleteCustomer, listMerchantsToErase, listOrdersToErase } from './queries.ts';

const MERCHANTS_AT_ONCE = 100;
const ORDERS_AT_ONCE = 100;

/**
 * Erases a customer's data for good. Repeating it changes nothing. The transaction must have locked the
 * merchant.
 * @throws {DomainError} `order_not_found`
 */
export async function redactOrder(
  context: WriteContext,
  { external_id }: { external_id: string },
): Promise<Order> {
  const { order, change } = await changeNamed(context, external_id, (before) =>
    before.redacted_at === null ? { order: { ...before, redacted_at: context.now }, events: [] } : null,
  );
  if (change === null) return order;
  erase(context, [order.order_id]);
  recordAudit(context, { action: 'order.redacted', subject: String(order.order_id) });
  return order;
}

/**
 * Erases the data of customers whose orders were closed before a time, some orders at a time, so that nobody
 * waits long. The revision of an order is raised, so that copies learn of it. Stops early if `isStopping`.
 */
export async function redactOldOrders(
  services: { database: Database; now: () => number },
  before: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping()) {
    const merchants = await services.database.all(listMerchantsToErase, { before, limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of merchants) {
      const caller = { merchantId, who: SERVICE };
      const redact = (): Promise<boolean> =>
        runVerb(services, caller, redactSome, { before }, { locksMerchant: true });
      while (!isStopping() && (await redact()));
    }
    if (merchants.length < MERCHANTS_AT_ONCE) return;
  }
}

/** Resolves to whether there are probably more. */
async function redactSome(context: WriteContext, { before }: { before: number }): Promise<boolean> {
  const { connection, merchantId, now } = context;
  const rows = await connection.all(listOrdersToErase, { merchantId, before, limit: ORDERS_AT_ONCE });
  const ids = rows.map(({ order_id }) => order_id);
  const batch = await OrderBatch.open(context, { ids });
  for (const id of ids) {
    const order = batch.order(id);
    if (order?.redacted_at === null) batch.put({ order: { ...order, redacted_at: now }, events: [] });
  }
  await batch.write();
  erase(context, ids);
  return rows.length === ORDERS_AT_ONCE;
}

function erase({ connection, merchantId }: TransactionContext, orderIds: readonly number[]): void {
  const keys = orderIds.map((orderId) => ({ merchantId, orderId }));
  connection.send(deleteCustomer, keys);
  connection.send(deleteNameWords, keys);
}

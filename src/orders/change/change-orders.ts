import type { AuditAction } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Actor } from '../../database/actor.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import type { Order } from '../record/order.ts';
import { OrderBatch, type OrderChange } from '../record/order-batch.ts';
import { OrderStock } from '../record/order-stock.ts';
import { acknowledge, annotate } from './annotate.ts';
import type { ChangeOrder } from './change-order.ts';
import { fulfill, unfulfill } from './fulfill.ts';
import { cancel, refund } from './refund.ts';

const actions = {
  acknowledge: 'order.acknowledged',
  annotate: 'order.annotated',
  fulfill: 'order.fulfilled',
  unfulfill: 'order.unfulfilled',
  refund: 'order.refunded',
  cancel: 'order.canceled',
} as const satisfies Record<string, AuditAction>;

const changes = { acknowledge, annotate, fulfill, unfulfill, refund, cancel };
export type OrderAction = keyof typeof changes;

/** What a merchant changes of an order. Plain data. */
export type OrderCall = {
  [Action in OrderAction]: {
    order_id: number;
    action: Action;
    input: Parameters<(typeof changes)[Action]>[1];
  };
}[OrderAction];

/** What a call did: the order after it. */
export interface ChangedOrder {
  order: Order;
  isChange: boolean;
}

interface OrderNeeds {
  /** The highest stock that counts as low. */
  lowInventory: number;
}

/** A call. */
export interface MadeCall {
  call: OrderCall;
  who: Actor;
  /** False for keys, because an ERP system makes thousands of calls. */
  isAudited: boolean;
}

/**
 * Applies calls of one merchant in order, each to the result of the calls before it. One that fails changes
 * nothing. The transaction must have locked the merchant.
 */
export async function changeOrders(
  context: WriteContext & OrderNeeds,
  calls: readonly MadeCall[],
): Promise<(ChangedOrder | DomainError)[]> {
  const batch = await OrderBatch.open(context, { ids: calls.map(({ call }) => call.order_id) });
  const restocked: { order: Order; units: number; who: Actor }[] = [];
  const results = calls.map(({ call, who, isAudited }): ChangedOrder | DomainError => {
    const before = batch.order(call.order_id);
    if (before === undefined) return errors.order_not_found(String(call.order_id));
    try {
      const change = apply(before, call, context.now);
      if (change === null) return { order: before, isChange: false };
      const order = batch.put(change, who);
      const { restock: units = 0 } = change;
      if (units > 0) restocked.push({ order, units, who });
      if (isAudited)
        recordAudit({ ...context, who }, { action: actions[call.action], subject: String(order.order_id) });
      return { order, isChange: true };
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  });
  await restock(context, restocked);
  await batch.write();
  return results;
}

/** Gives units back to the stock that orders took them from. */
export async function restock(
  context: WriteContext & Pick<OrderNeeds, 'lowInventory'>,
  returned: readonly { order: Order; units: number; who?: Actor }[],
): Promise<void> {
  if (returned.length === 0) return;
  const stock = await OrderStock.open(
    context,
    returned.map(({ order }) => order),
  );
  for (const { order, units, who } of returned) stock.change(order, units, who);
  await stock.write();
}

function apply(order: Order, { action, input }: OrderCall, now: number): OrderChange | null {
  // Each action has the input of its change.
  return (changes[action] as ChangeOrder<unknown>)(order, input, now);
}

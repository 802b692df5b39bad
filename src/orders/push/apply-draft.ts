import type { Problem } from '../../errors/domain-error.ts';
import type { NewEvent } from '../../events/record-event.ts';
import type { Product } from '../../products/record/product.ts';
import { eventData } from '../change/change-order.ts';
import { fulfill } from '../change/fulfill.ts';
import { cancelAnyway, closeOrder, settleRefund } from '../change/refund.ts';
import { feeOf, isFullyShipped, MAX_ORDER_ID, type Order, type OrderStatus } from '../record/order.ts';
import type { OrderDraft } from './order-draft.ts';

/** How far an order is on its way to the merchant. A push never takes it back. */
const stages: Partial<Record<OrderStatus, number>> = {
  unpaid: 0,
  processing_payment: 1,
  pending_verification: 2,
  pending_consolidation_decision: 2,
  paid: 3,
};

export interface Pushed {
  order: Order;
  events: NewEvent[];
  /** The units that go back to the stock that the order took them from. */
  restock?: number;
}

/** What a push finds of the merchant's catalog and orders. */
interface PushContext {
  product: Product | undefined;
  now: number;
  /** The id of a new order that states none. */
  nextId: number;
  /** Whether another order has this id. */
  isTaken(id: number): boolean;
}

/**
 * Applies what the operator states to an order, or creates it. Null if nothing changes. What was sold is
 * fixed at creation, and the status only moves forward, so that an old push can be repeated.
 */
export function applyDraft(
  before: Order | undefined,
  draft: OrderDraft,
  context: PushContext,
): Pushed | Problem[] | null {
  if (before === undefined) return createOrder(draft, context);
  const problems = fixedProblems(before, draft);
  if (problems.length > 0) return problems;
  const stated = withStated(before, draft.has_refunds ? { ...draft, available_refunds: undefined } : draft);
  const tooLittle = refundProblem(stated);
  if (tooLittle !== undefined) return [tooLittle];
  const pushed = withStatus(stated, draft, context.now);
  if (isProblem(pushed)) return [pushed];
  return isSame(before, pushed.order) ? null : pushed;
}

function createOrder(draft: OrderDraft, { product, now, nextId, isTaken }: PushContext): Pushed | Problem[] {
  const { external_id, product_identifier = '', variation_identifier = null } = draft;
  if (product === undefined) {
    const reason =
      product_identifier === ''
        ? 'missing, expected the identifier of the product that was sold'
        : 'no product has this identifier; import the products first';
    return [{ field: 'product_identifier', value: product_identifier, reason }];
  }
  const variation = product.variations.find(({ identifier }) => identifier === variation_identifier);
  if (variation === undefined && variation_identifier !== null) {
    const reason = `the product ${product_identifier} has no variation with this identifier`;
    return [{ field: 'variation_identifier', value: variation_identifier, reason }];
  }
  const order_id = draft.order_id ?? nextId;
  if (isTaken(order_id))
    return [{ field: 'order_id', value: order_id, reason: 'another order of the merchant has this ID' }];
  if (order_id > MAX_ORDER_ID) {
    const reason = `missing, expected an unused number, because ${MAX_ORDER_ID} is taken and no higher one can be assigned`;
    return [{ field: 'order_id', value: null, reason }];
  }
  const created: Order = {
    order_id,
    external_id,
    status: 'unpaid',
    created_at: draft.created_at ?? now,
    updated_at: now,
    paid_at: null,
    fulfillment_due_date: null,
    revision: 0,
    service_type: null,
    fulfillment_partner: null,
    product_name: product.title ?? product_identifier,
    product_identifier,
    product_internal_id: product.internal_id,
    variation_identifier,
    variation_internal_id: variation?.internal_id ?? null,
    product_quantity: draft.product_quantity ?? 1,
    customer_id: null,
    state: null,
    country: null,
    fees: {},
    disbursement_amount: null,
    seller_fees: [],
    upsells: [],
    related_order_ids: [],
    annotation: null,
    refunded_at: null,
    canceled_at: null,
    merchant_order_id: null,
    acknowledged_at: null,
    packages: [],
    refunds: [],
    hold_reason: null,
    status_before_hold: null,
    placement_id: null,
    redacted_at: null,
    reserved: 0,
    history: [],
  };
  const pushed = withStatus(withStated(created, draft), { status: 'paid', ...draft }, now);
  if (isProblem(pushed)) return [pushed];
  const { order, events } = pushed;
  return { order, events: [{ type: 'order.created', data: eventData(order) }, ...events] };
}

/** Sets the fields that a push may change at any time. */
function withStated(order: Order, draft: OrderDraft): Order {
  const kept = <T>(stated: T | undefined, current: T): T => (stated === undefined ? current : stated);
  return {
    ...order,
    product_name: draft.product_name ?? order.product_name,
    customer_id: kept(draft.customer_id, order.customer_id),
    state: kept(draft.state, order.state),
    country: kept(draft.country, order.country),
    fees: draft.available_refunds ?? order.fees,
    disbursement_amount: kept(draft.disbursement_amount, order.disbursement_amount),
    seller_fees: draft.seller_fees ?? order.seller_fees,
    upsells: draft.upsells ?? order.upsells,
    related_order_ids: draft.related_order_ids ?? order.related_order_ids,
    service_type: kept(draft.service_type, order.service_type),
    fulfillment_partner: kept(draft.fulfillment_partner, order.fulfillment_partner),
    fulfillment_due_date: kept(draft.fulfillment_due_date, order.fulfillment_due_date),
    created_at: draft.created_at ?? order.created_at,
    paid_at: kept(draft.paid_at, order.paid_at),
    placement_id: kept(draft.placement_id, order.placement_id),
  };
}

function withStatus(order: Order, draft: OrderDraft, now: number): Pushed | Problem {
  const { status } = draft;
  // An order that was refunded or canceled stays so.
  const isOver = order.status === 'refunded' || order.status === 'canceled';
  if (status === undefined || status === order.status || isOver) return { order, events: [] };
  const stage = stages[status];
  if (stage !== undefined) return { order: moveForward(order, status, stage, now), events: [] };
  if (status === 'shipped') return shipAll(order, draft, now);
  return closeWithRefund(order, status === 'refunded' ? status : 'canceled', now);
}

/** The operator says that the order has shipped already: in one package, unless the merchant has others. */
function shipAll(order: Order, { carrier, tracking_number }: OrderDraft, now: number): Pushed | Problem {
  if (order.hold_reason !== null)
    return {
      field: 'status',
      value: 'shipped',
      reason: `the order is on hold (${order.hold_reason}); release it first`,
    };
  const paid = moveForward(order, 'paid', stages.paid ?? 0, now);
  if (isFullyShipped(paid)) return { order: paid, events: [] };
  if (carrier == null) return missingFor('carrier');
  if (tracking_number == null) return missingFor('tracking_number');
  const change = fulfill(paid, { carrier, tracking_number }, now);
  return { order: change?.order ?? paid, events: [...(change?.events ?? [])] };
}

function missingFor(field: string): Problem {
  return { field, value: null, reason: 'missing, expected it for an order that has shipped' };
}

function isProblem(pushed: Pushed | Problem): pushed is Problem {
  return 'field' in pushed;
}

function moveForward(order: Order, status: OrderStatus, stage: number, now: number): Order {
  const paid_at = status === 'paid' ? (order.paid_at ?? now) : order.paid_at;
  if (order.status_before_hold !== null) {
    const isLater = stage > (stages[order.status_before_hold] ?? stage);
    return isLater ? { ...order, status_before_hold: status, paid_at } : order;
  }
  return stage > (stages[order.status] ?? stage) ? { ...order, status, paid_at } : order;
}

/** The operator has refunded it already. */
function closeWithRefund(order: Order, status: 'refunded' | 'canceled', now: number): Pushed {
  const change =
    status === 'refunded'
      ? closeOrder(order, status, { reason: 'other' }, now)
      : cancelAnyway(order, { reason: 'other' }, now);
  const { order: closed } = change;
  const added = closed.refunds.length > order.refunds.length ? closed.refunds.at(-1) : undefined;
  const { restock = 0 } = change;
  if (added === undefined) return { order: closed, events: [...change.events], restock };
  const { refund_id } = added;
  const settled = settleRefund(closed, { refund_id, state: 'settled', failure: null }, now);
  return { order: settled?.order ?? closed, events: [...change.events, ...(settled?.events ?? [])], restock };
}

/** Returns a problem for each value that is fixed at creation and differs. */
function fixedProblems(order: Order, draft: OrderDraft): Problem[] {
  const names = ['order_id', 'product_identifier', 'variation_identifier', 'product_quantity'] as const;
  return names.flatMap((field) => {
    const value = draft[field];
    if (value === undefined || value === null || value === order[field]) return [];
    const reason = `fixed when the order was created: expected ${order[field] ?? 'no value'}; cancel the order and push another one`;
    return [{ field, value, reason }];
  });
}

function refundProblem({ fees, refunds }: Order): Problem | undefined {
  for (const name of new Set(refunds.flatMap((each) => Object.keys(each.fees)))) {
    let refunded = 0;
    for (const each of refunds) if (each.state !== 'failed') refunded += feeOf(each.fees, name);
    if (refunded <= feeOf(fees, name)) continue;
    const reason = `${refunded / 100} of ${name} was refunded already: expected at least this amount`;
    return { field: 'available_refunds', value: feeOf(fees, name) / 100, reason };
  }
  return undefined;
}

function isSame(one: Order, other: Order): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

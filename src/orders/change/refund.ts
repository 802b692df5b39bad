import { errors } from '../../errors/errors.ts';
import { formatTime } from '../../shared/timestamps.ts';
import {
  amountOf,
  availableRefunds,
  feeOf,
  MAX_PARTIAL_REFUNDS,
  type Order,
  type Refund,
  type RefundType,
  shippedQuantity,
} from '../record/order.ts';
import type { OrderChange } from '../record/order-batch.ts';
import { type ChangeOrder, eventData, refuse, requireWritable } from './change-order.ts';

interface RefundInput {
  type: RefundType;
  reason: string;
  /** The names of the fees of a partial refund. */
  fees?: readonly string[] | undefined;
  explanation?: string | undefined;
  refund_id?: string | undefined;
  /** The units that a partial refund is for; by default, all. */
  quantity?: number | undefined;
  /** Whether the units go back to the stock that the order took them from. */
  restock?: boolean | undefined;
}

/**
 * Requests a refund, which the operator settles. A full refund returns what is left of all fees, and a
 * partial one the named fees. A repetition changes nothing (contract for orders, “Calls”).
 */
export const refund: ChangeOrder<RefundInput> = (order, input, now) => {
  const repeated = findRepeated(order, input);
  if (repeated !== undefined) return null;
  requireWritable(order);
  if (input.type === 'partial') requireRoom(order);
  const fees = input.type === 'full' ? allFees(order, input) : partialFees(order, input);
  return addRefund(order, { ...input, fees }, now, { status: 'refunded', refunded_at: now });
};

/** A full refund while nothing has shipped. A canceled order stays as it is. */
export const cancel: ChangeOrder<{ reason: string; restock?: boolean | undefined }> = (order, input, now) => {
  if (order.status === 'canceled') return null;
  requireWritable(order);
  if (shippedQuantity(order) > 0)
    throw refuse('order_id', `the order ${order.order_id} has shipped; refund it instead`);
  return cancelAnyway(order, input, now);
};

/** Cancels an order that has not shipped, whatever its status is. */
export function cancelAnyway(
  order: Order,
  input: { reason: string; restock?: boolean | undefined },
  now: number,
): OrderChange {
  // What has shipped is not in the stock, whatever becomes of the order.
  const quantity = order.product_quantity - shippedQuantity(order);
  const closed = closeOrder(order, 'canceled', { restock: true, ...input, quantity }, now);
  const canceled = { type: 'order.canceled' as const, data: eventData(closed.order) };
  return { ...closed, events: [canceled, ...closed.events] };
}

/** Refunds what is left of an order, if anything is, and gives it a final status. */
export function closeOrder(
  order: Order,
  status: 'refunded' | 'canceled',
  input: { reason: string; restock?: boolean | undefined; quantity?: number },
  now: number,
): OrderChange {
  const times = status === 'canceled' ? { canceled_at: now } : { refunded_at: now };
  const changed = { status, ...times, hold_reason: null, status_before_hold: null };
  const fees = availableRefunds(order);
  if (Object.keys(fees).length > 0) return addRefund(order, { type: 'full', ...input, fees }, now, changed);
  const units = restockedUnits(order, input);
  return { order: { ...order, ...changed, reserved: order.reserved - units }, events: [], restock: units };
}

/** The units that go back to the stock: no more than the order has taken from it. */
function restockedUnits(
  { reserved }: Order,
  { restock = false, quantity = reserved }: { restock?: boolean | undefined; quantity?: number | undefined },
): number {
  return restock ? Math.min(reserved, quantity) : 0;
}

/** The operator reports what became of a refund. @throws {DomainError} `refund_not_found` */
export const settleRefund: ChangeOrder<{
  refund_id: string;
  state: 'settled' | 'failed';
  failure: string | null;
}> = (order, { refund_id, state, failure }) => {
  const before = order.refunds.find((each) => each.refund_id === refund_id);
  if (before === undefined) throw errors.refund_not_found(refund_id);
  if (before.state === state) return null;
  if (before.state !== 'requested')
    throw refuse('state', `the refund ${refund_id} is ${before.state}, which is final`);
  const settled: Refund = { ...before, state, failure: state === 'failed' ? failure : null };
  const refunds = order.refunds.map((each) => (each === before ? settled : each));
  const restored =
    state === 'failed' && before.status_before !== null
      ? { status: before.status_before, refunded_at: null, canceled_at: null }
      : {};
  const after = { ...order, ...restored, refunds };
  const type = state === 'settled' ? 'refund.settled' : 'refund.failed';
  return { order: after, events: [{ type, data: { ...eventData(after), refund_id, state } }] };
};

/** Returns the refund that the input repeats. @throws {DomainError} if its ID belongs to another one */
function findRepeated(order: Order, { type, refund_id, fees = [] }: RefundInput): Refund | undefined {
  const isOpen = ({ state }: Refund): boolean => state !== 'failed';
  if (type === 'full') return order.refunds.find((each) => each.type === 'full' && isOpen(each));
  const known = order.refunds.find((each) => each.refund_id === refund_id);
  if (known === undefined) return undefined;
  const isSame = known.type === type && fees.every((name) => Object.hasOwn(known.fees, name));
  if (isSame && fees.length === Object.keys(known.fees).length) return known;
  const names = Object.keys(known.fees).join(', ');
  throw refuse(
    'refund_id',
    `the refund ${known.refund_id} of this order is for ${names}; use another refund_id`,
  );
}

/** @throws {DomainError} if nothing is left, or if the input names only some of the fees that are left */
function allFees(order: Order, { fees }: RefundInput): Record<string, number> {
  const left = availableRefunds(order);
  const names = Object.keys(left);
  const last = order.refunds.findLast(({ state }) => state !== 'failed');
  if (names.length === 0) {
    const when = last === undefined ? '' : `: the last refund was on ${describeTime(last)}`;
    throw refuse('type', `the order ${order.order_id} has nothing left to refund${when}`);
  }
  if (fees !== undefined && !names.every((name) => fees.includes(name)))
    throw refuse(
      'fees',
      `a full refund returns ${names.join(', ')}; expected all of them, or the type partial`,
    );
  return left;
}

function requireRoom({ order_id, refunds }: Order): void {
  if (refunds.filter(({ type }) => type === 'partial').length < MAX_PARTIAL_REFUNDS) return;
  const most = `the order ${order_id} has ${MAX_PARTIAL_REFUNDS} partial refunds, the most possible`;
  throw refuse('type', `${most}; refund it in full`);
}

function partialFees(order: Order, { fees = [], quantity }: RefundInput): Record<string, number> {
  const left = availableRefunds(order);
  const names = Object.keys(left);
  const expected = names.length === 0 ? 'nothing is left to refund' : `expected some of ${names.join(', ')}`;
  if (fees.length === 0) throw refuse('fees', `missing, ${expected}`);
  const units = order.product_quantity;
  if (quantity !== undefined && quantity > units)
    throw refuse('quantity', `the order ${order.order_id} has ${units} units`);
  const chosen: Record<string, number> = {};
  for (const name of fees) {
    const rest = feeOf(left, name);
    if (rest === 0) throw refuse('fees', describeGone(order, name, expected));
    const share = Math.max(Math.round((feeOf(order.fees, name) * (quantity ?? units)) / units), 1);
    // Each refund may have been rounded up.
    const rounded = refundsOf(order, name).length;
    if (quantity !== undefined && share - rest > rounded) {
      const asked = `${quantity} of ${units} units are ${share / 100} of ${name}`;
      throw refuse(
        'quantity',
        `${asked}, and only ${rest / 100} is left; expected fewer units, or no quantity`,
      );
    }
    chosen[name] = Math.min(rest, share);
  }
  return chosen;
}

function describeGone(order: Order, name: string, expected: string): string {
  const last = refundsOf(order, name).at(-1);
  if (last === undefined) return `the order has no fee ${name}; ${expected}`;
  return `${name} was refunded on ${describeTime(last)}; ${expected}`;
}

function refundsOf({ refunds }: Order, fee: string): Refund[] {
  return refunds.filter(({ state, fees }) => state !== 'failed' && Object.hasOwn(fees, fee));
}

function describeTime({ requested_at, refund_id }: Refund): string {
  return `${formatTime(requested_at)} (${refund_id})`;
}

function addRefund(
  order: Order,
  {
    type,
    reason,
    explanation,
    refund_id,
    quantity,
    restock,
    fees,
  }: Omit<RefundInput, 'fees'> & Pick<Refund, 'fees'>,
  now: number,
  changed: Partial<Order>,
): OrderChange {
  const added: Refund = {
    refund_id: refund_id ?? nextRefundId(order),
    type,
    reason,
    explanation: explanation ?? null,
    fees,
    requested_at: now,
    state: 'requested',
    failure: null,
    status_before: type === 'full' ? (order.status_before_hold ?? order.status) : null,
    restocked: restockedUnits(order, { restock, quantity }),
  };
  if (order.refunds.some((each) => each.refund_id === added.refund_id))
    throw refuse('refund_id', `the order has a refund ${added.refund_id} already; use another refund_id`);
  const { restocked: units } = added;
  const refunds = [...order.refunds, added];
  const after = { ...order, ...(type === 'full' && changed), refunds, reserved: order.reserved - units };
  if (amountOf(added) > 0) availableRefunds(after);
  const data = { ...eventData(after), refund_id: added.refund_id, state: added.state };
  return { order: after, events: [{ type: 'refund.requested', data }], restock: units };
}

function nextRefundId({ refunds }: Order): string {
  let number = refunds.length + 1;
  while (refunds.some(({ refund_id }) => refund_id === `refund-${number}`)) number += 1;
  return `refund-${number}`;
}

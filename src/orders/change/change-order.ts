import type { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import type { EventData } from '../../events/event-types.ts';
import type { Order } from '../record/order.ts';
import type { OrderChange } from '../record/order-batch.ts';

/**
 * Changes an order in memory. Null if there is nothing to change, as in a repetition.
 * @throws {DomainError} `invalid_parameters` if the order does not allow the change
 */
export type ChangeOrder<Input> = (order: Order, input: Input, now: number) => OrderChange | null;

/** Why an order does not allow a change; the reason says in which state the order is. */
export function refuse(field: string, reason: string): DomainError {
  return errors.invalid_parameters([{ field, reason }]);
}

/**
 * Merchants write only to orders that are paid or shipped (contract for orders, “Record”).
 * @throws {DomainError} `invalid_parameters`
 */
export function requireWritable({ order_id, status, hold_reason }: Order): void {
  if (status === 'paid' || status === 'shipped') return;
  const held = hold_reason === null ? '' : ` and on hold (${hold_reason})`;
  throw refuse('order_id', `the order ${order_id} is ${status}${held}: do not ship it`);
}

/** The data of an event about an order: ids only. */
export function eventData({ order_id, external_id, status }: Order): EventData['order.created'] {
  return { order_id, external_id, status };
}
